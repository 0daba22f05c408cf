"""One convolution, with everything that can be said of it."""
import torch
from torch import nn


def run(x, channels, filters, kernel, stride, padding, dilation, groups):
    layer = nn.Conv2d(channels, filters, kernel, stride, padding, dilation, groups)
    return layer(x)
