"""Builds and runs every vector of a space in the real framework, and says what became of it.

    python sweep_truth.py MODEL.py SPACE.toml < vectors.jsonl > truth.jsonl

A line of the input is what `tensorvet sweep --list jsonl` prints; of it only the vector is read. The answer is
`{"ok": true}`, or the line of the model at which the framework raises and what it says.
`assert` in the model says what runs and is wrong all the same.
"""

import importlib.util
import json
import os
import random
import re
import sys
import tomllib
import traceback


def described(text):
    """The type, sizes and layout of `f32[N,3,S,S]:nchw`."""
    match = re.fullmatch(r"(\w+)\[(.*)\](?::(\w+))?", text)
    sizes = [size.strip() for size in match[2].split(",") if size.strip()]
    return match[1], sizes, match[3]


SHORT = {"f32": "float32", "f64": "float64", "f16": "float16", "i64": "int64", "i32": "int32", "b": "bool"}


def shaped(name, text, vector):
    """The type and the numbers of an input, for one vector."""
    dtype, sizes, layout = described(text)
    sizes = [vector[size] if size in vector else int(size) for size in sizes]
    wanted = vector.get(f"{name}.layout")
    if wanted and wanted != layout:
        own = layout or "nchw"
        sizes = [sizes[own.index(letter)] for letter in wanted]
    rank = vector.get(f"{name}.rank")
    if rank is not None:
        sizes = sizes[max(0, len(sizes) - rank) :]
        sizes = [1] * (rank - len(sizes)) + sizes
    return vector.get(f"{name}.dtype") or SHORT.get(dtype, dtype), sizes


def torch_input(dtype, sizes):
    import torch

    kind = getattr(torch, dtype)
    return torch.zeros(sizes, dtype=kind)


def keras_input(dtype, sizes):
    import tensorflow as tf

    return tf.zeros(sizes, dtype=dtype)


def main():
    model, space = sys.argv[1:3]
    with open(space, "rb") as file:
        space = tomllib.load(file)
    os.environ.setdefault("KERAS_BACKEND", "tensorflow")
    spec = importlib.util.spec_from_file_location("model", model)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    is_torch = space["framework"] == "pytorch"
    if is_torch:
        import torch

        torch.set_num_threads(1)
    make = torch_input if is_torch else keras_input
    inputs = space.get("inputs", {})
    sizes = {size for text in inputs.values() for size in described(text)[1]}
    for line in sys.stdin:
        vector = json.loads(line)["vector"]
        own = {key: value for key, value in vector.items() if "." not in key and key not in sizes}
        own = {key: tuple(value) if isinstance(value, list) else value for key, value in own.items()}
        try:
            tensors = {name: make(*shaped(name, text, vector)) for name, text in inputs.items()}
        except Exception as error:  # An input that no framework makes is no vector.
            print(json.dumps({"ok": None, "why": str(error)[:200]}), flush=True)
            continue
        try:
            for name, text in inputs.items():
                wanted, own_layout = vector.get(f"{name}.layout"), described(text)[2]
                if wanted and own_layout and wanted != own_layout:
                    raise AssertionError(f"{name} comes as {wanted} and is read as {own_layout}")
            module.run(**tensors, **own)
            print(json.dumps({"ok": True}), flush=True)
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            lines = [frame.lineno for frame in frames if frame.filename == model]
            why = f"{type(error).__name__}: {error}"[:200]
            print(json.dumps({"ok": False, "line": lines[-1] if lines else None, "why": why}), flush=True)


main()
