"""Makes the small checkpoints beside it, with the real libraries: `python make.py`."""

import argparse
import collections

import numpy
import safetensors.torch
import torch

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2))
state = net.state_dict()
torch.save(state, "state.pt")
torch.save(state, "legacy.pt", _use_new_zipfile_serialization=False)
safetensors.torch.save_file({**state, "half": torch.zeros(4, dtype=torch.bfloat16)}, "state.safetensors", {"format": "pt"})

training = {"model": state, "epoch": 7, "best": 0.5, "arch": "mlp", "done": False, "sizes": torch.Size([3, 2]), "kind": torch.float16, "nothing": None}
training["args"] = argparse.Namespace(lr=0.1)
training["history"] = [1.0, (2, "two"), {3}]
training["array"] = numpy.zeros((4, 5), dtype=numpy.int32)
training["loss"] = numpy.float64(0.25)
training["turned"] = torch.zeros(5, 4).t()
training["parameter"] = torch.nn.Parameter(torch.zeros(6))
training["unsigned"] = torch.zeros(7, dtype=torch.uint16)
training["counter"] = collections.Counter("aab")
training["again"] = training["history"]
training["self"] = training
torch.save(training, "training.pt")
numpy.save("array.npy", numpy.zeros((2, 3, 4), dtype=numpy.float32))
numpy.savez("arrays.npz", images=numpy.zeros((10, 8, 8), dtype=numpy.uint8), labels=numpy.zeros(10, dtype=numpy.int64))
numpy.savez_compressed("packed.npz", images=numpy.zeros((1000, 8, 8)), labels=numpy.zeros(10, dtype=numpy.int64))
