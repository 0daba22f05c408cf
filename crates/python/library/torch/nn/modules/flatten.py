"""Where PyTorch keeps its layers: all of them are in `torch.nn`."""

from torch.nn import *
