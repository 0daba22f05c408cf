"""A small network and its space, for all tests of the package."""

import pathlib
import tempfile

SOURCE = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, kernel=3, stride=1, width=8, heads=2):
        super().__init__()
        self.conv = nn.Conv2d(3, width, kernel, stride=stride)
        self.pool = nn.MaxPool2d(2)
        self.attention = nn.MultiheadAttention(width, heads)

    def forward(self, x):
        x = self.pool(torch.relu(self.conv(x)))
        x = x.flatten(2).permute(2, 0, 1)
        return self.attention(x, x, x)[0]
"""
SPACE = {
    "parameters": {"kernel": "1..9", "stride": [1, 2, 4], "width": [6, 8, 12], "heads": [1, 2, 3, 4], "size": [8, 16]},
    "inputs": {"x": "f32[2,3,size,size]"},
}


def folder():
    """A folder with `net.py`, which lives as long as what is returned."""
    held = tempfile.TemporaryDirectory()
    pathlib.Path(held.name, "net.py").write_text(SOURCE)
    return held


def works(kernel, stride, width, heads, size):
    """What PyTorch makes of a vector, in our own words: the kernel and the pool fit, and the heads divide the width."""
    left = (size - kernel) // stride + 1
    return kernel <= size and left >= 2 and width % heads == 0
