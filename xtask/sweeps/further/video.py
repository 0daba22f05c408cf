"""Convolutions over time and space."""
import torch
from torch import nn
from torch.nn import functional as F


def run(x, width, time, kernel, padding, pool, features):
    x = nn.Conv3d(3, width, (time, kernel, kernel), padding=(0, padding, padding))(x)
    x = nn.MaxPool3d((1, pool, pool))(x)
    x = nn.Conv3d(width, width, (1, kernel, kernel))(x)
    x = nn.AdaptiveAvgPool3d((1, 2, 2))(x)
    return nn.Linear(features, 5)(x.flatten(1))
