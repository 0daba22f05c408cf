"""Mixes tokens and channels in turn."""
import torch
from torch import nn
from torch.nn import functional as F


def run(x, tokens, features, token_hidden, hidden, depth):
    for _ in range(depth):
        y = nn.LayerNorm(features)(x).transpose(1, 2)
        y = nn.Linear(token_hidden, tokens)(F.gelu(nn.Linear(tokens, token_hidden)(y)))
        x = x + y.transpose(1, 2)
        y = nn.Linear(hidden, features)(F.gelu(nn.Linear(features, hidden)(nn.LayerNorm(features)(x))))
        x = x + y
    return x.mean(dim=1)
