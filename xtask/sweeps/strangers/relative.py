"""Attention with relative positions, grouped heads and a window, by einsum."""
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width=24, heads=4, groups=2, window=8, rank=3):
        super().__init__()
        assert width % heads == 0, "heads divide the width"
        self.heads, self.groups, self.window = heads, groups, window
        self.size = width // heads
        self.query = nn.Linear(width, width)
        self.both = nn.Linear(width, 2 * groups * self.size, bias=False)
        self.bias = nn.Parameter(torch.zeros(heads, 2 * window - 1))
        self.mix = nn.ModuleDict({"down": nn.Linear(width, rank), "up": nn.Linear(rank, width)})

    def forward(self, x):
        batch, length, _ = x.shape
        q = self.query(x).view(batch, length, self.heads, self.size)
        k, v = self.both(x).view(batch, length, 2, self.groups, self.size).unbind(2)
        k = k.repeat_interleave(self.heads // self.groups, dim=2)
        v = v.repeat_interleave(self.heads // self.groups, dim=2)
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / self.size**0.5
        places = torch.arange(self.window)
        offsets = places[:, None] - places[None, :] + self.window - 1
        scores = scores + self.bias[:, offsets]
        mask = torch.ones(length, length, dtype=torch.bool).triu(1)
        weights = scores.masked_fill(mask, float("-inf")).softmax(-1)
        y = torch.einsum("bhqk,bkhd->bqhd", weights, v).reshape(batch, length, -1)
        return x + self.mix["up"](self.mix["down"](y))


def run(x, take=-1, **kw):
    return Attention(**kw)(x)[:, take].mean(dim=-1)
