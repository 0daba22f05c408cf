"""Depthwise and pointwise convolutions."""
import torch
from torch import nn
from torch.nn import functional as F


def run(x, width, expand, kernel, stride, padding, groups, squeeze):
    x = nn.Conv2d(3, width, 3, 2, 1)(x)
    y = nn.Conv2d(width, width * expand, 1)(x)
    y = nn.Conv2d(width * expand, width * expand, kernel, stride, padding, groups=groups)(y)
    s = F.adaptive_avg_pool2d(y, 1)
    s = nn.Conv2d(width * expand, squeeze, 1)(s)
    s = nn.Conv2d(squeeze, width * expand, 1)(s)
    y = y * torch.sigmoid(s)
    y = nn.Conv2d(width * expand, width, 1)(y)
    return x + y
