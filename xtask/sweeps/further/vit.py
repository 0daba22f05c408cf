"""Patches, positions and a mixer."""
import torch
from torch import nn
from torch.nn import functional as F


def run(x, patch, stride, features, tokens, classes):
    x = nn.Conv2d(3, features, patch, stride)(x)
    x = x.flatten(2).transpose(1, 2)
    start = torch.zeros(x.shape[0], 1, features)
    x = torch.cat([start, x], dim=1)
    x = x + torch.zeros(1, tokens, features)
    x = nn.LayerNorm(features)(x)
    return nn.Linear(features, classes)(x[:, 0])
