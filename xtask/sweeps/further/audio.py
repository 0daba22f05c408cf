"""Convolutions over time with dilation, in groups."""
import torch
from torch import nn
from torch.nn import functional as F


def run(x, width, kernel, dilation, groups, layers, pool, features):
    channels = 1
    for number in range(layers):
        x = nn.Conv1d(channels, width, kernel, dilation=dilation**number, groups=groups if number else 1)(x)
        channels = width
        x = F.relu(nn.GroupNorm(groups, width)(x))
    x = nn.AvgPool1d(pool)(x)
    return nn.Linear(features, 4)(x.flatten(1))
