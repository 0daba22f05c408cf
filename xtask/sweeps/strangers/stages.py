"""Stages of blocks, counts per stage, strides that depend on the index, a stochastic-depth list."""
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim, index, total, expand, every):
        super().__init__()
        self.index = index
        self.rate = 0.5 * index / max(1, total - 1)
        assert self.rate <= 0.5
        self.drop = nn.Dropout(self.rate)
        self.lin = nn.Linear(dim, dim * expand)
        self.out = nn.Linear(dim * expand, dim)
        self.extra = nn.Linear(dim, dim + 1) if every and index % every == every - 1 else None

    def forward(self, x):
        y = x + self.drop(self.out(self.lin(x).relu()))
        if self.extra is not None:
            y = self.extra(y)[..., 1:]
        return y


def run(x, depth=3, stages=2, expand=2, every=0, take=-1, limit=4, grow=0, stop=None):
    net = nn.ModuleList()
    count = 0
    dim = x.shape[-1]
    for s in range(stages):
        for d in range(depth - s):
            if stop is not None and count >= stop:
                break
            net.append(Block(dim, count, stages * depth, expand, every))
            count += 1
        else:
            net.append(nn.Linear(dim, dim + grow))
            dim += grow
    if count > limit:
        raise ValueError(f"too deep: {count}")
    outs = [x]
    for b in net:
        outs.append(b(outs[-1]))
    first, *rest = outs
    picked = outs[take]
    total = sum(o.shape[-1] for o in rest)
    fuse = nn.Linear(total, 4) if rest else nn.Identity()
    y = fuse(torch.cat(rest, -1)) if rest else first
    return y + nn.Linear(dim, 4)(picked)
