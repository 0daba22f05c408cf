"""Requirements in which many hyper-parameters meet, in one way or another."""
import torch
from torch import nn


def sums(w1, w2, w3, w4, w5, w6, w7, w8, w9, features):
    """Widths that are joined."""
    widths = [w1, w2, w3, w4, w5, w6, w7, w8, w9]
    return nn.Linear(features, 1)(torch.cat([torch.zeros(1, width) for width in widths], 1))


def pairs(a1, a2, a3, a4, a5, b1, b2, b3, b4, b5, features):
    """Widths that are joined after each was repeated; all widths are met before the first number of repetitions."""
    parts = [torch.zeros(1, width) for width in [a1, a2, a3, a4, a5]]
    parts = [part.repeat(1, times) for part, times in zip(parts, [b1, b2, b3, b4, b5])]
    return nn.Linear(features, 1)(torch.cat(parts, 1))


def products(s1, s2, s3, s4, s5, s6, s7, s8, s9, size):
    """Sizes of one tensor."""
    return torch.zeros(size).view(s1, s2, s3, s4, s5, s6, s7, s8, s9)


def both(w1, w2, w3, w4, w5, w6, w7, w8, w9, features, size):
    """Numbers whose sum and whose product have to be right."""
    widths = [w1, w2, w3, w4, w5, w6, w7, w8, w9]
    torch.zeros(size).view(*widths)
    return nn.Linear(features, 1)(torch.cat([torch.zeros(1, width) for width in widths], 1))
