"""A program whose functions and attributes are called like its options."""
import argparse

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, hidden, heads, depth):
        super().__init__()
        self.hidden = hidden * 2
        hidden = hidden // heads * heads
        self.heads = max(1, heads - 1)
        self.depth = depth + 1
        self.inp = nn.Linear(8, hidden)
        self.out = nn.Linear(hidden, self.hidden)
        self.group = nn.GroupNorm(self.heads, self.hidden)

    def forward(self, x):
        batch = x.shape[0] * 2
        y = self.group(self.out(self.inp(x)))
        y = y.repeat(2, 1)
        return y.view(batch, self.heads, -1)


def shrink(x, stride):
    stride = stride + 1
    for kernel in range(1, stride):
        x = x[:, ::kernel]
    stride -= 1
    return x, stride


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--hidden", type=int, default=8)
    p.add_argument("--heads", type=int, default=2)
    p.add_argument("--depth", type=int, default=1)
    p.add_argument("--batch", type=int, default=4)
    p.add_argument("--stride", type=int, default=1)
    p.add_argument("--kernel", type=int, default=3)
    args = p.parse_args()
    batch, hidden = args.batch, args.hidden
    net = nn.Sequential(*[Block(hidden if i == 0 else 8, args.heads, args.depth) for i in range(args.depth)][:1])
    y = net(torch.zeros(batch, 8))
    hidden = hidden * 2
    batch *= 2
    y = y.reshape(batch, hidden)
    args.hidden = args.hidden + args.kernel
    y, stride = shrink(y, args.stride)
    assert stride == args.stride
    args.kernel = min(args.kernel, y.shape[1])
    w = nn.Conv1d(1, 1, args.kernel)(y.unsqueeze(1))
    nn.Linear(14, args.hidden - 8)(w[:, 0])


if __name__ == "__main__":
    main()
