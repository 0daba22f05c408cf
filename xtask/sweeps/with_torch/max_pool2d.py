"""One pooling."""
import torch
from torch import nn


def run(x, kernel, stride, padding, dilation, ceil_mode):
    layer = nn.MaxPool2d(kernel, stride, padding, dilation, ceil_mode=ceil_mode)
    return layer(x)
