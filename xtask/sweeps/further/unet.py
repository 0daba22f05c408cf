"""A U-net: what comes up is joined with what went down."""
import torch
from torch import nn
from torch.nn import functional as F


def run(x, width, kernel, padding, up_kernel, up_stride, levels):
    skips = []
    channels = 1
    for level in range(levels):
        x = nn.Conv2d(channels, width * 2**level, kernel, padding=padding)(x)
        channels = width * 2**level
        skips.append(x)
        x = F.max_pool2d(x, 2)
    for level in reversed(range(levels)):
        x = nn.ConvTranspose2d(channels, width * 2**level, up_kernel, up_stride)(x)
        x = torch.cat([x, skips[level]], 1)
        x = nn.Conv2d(width * 2 ** (level + 1), width * 2**level, kernel, padding=padding)(x)
        channels = width * 2**level
    return nn.Conv2d(channels, 2, 1)(x)
