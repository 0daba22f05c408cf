"""MBConv blocks with squeeze-and-excitation, divisible channels and drop path."""
import math
from typing import Optional

import torch
from torch import nn


def make_divisible(v: float, divisor: int, min_value: Optional[int] = None) -> int:
    if min_value is None:
        min_value = divisor
    new_v = max(min_value, int(v + divisor / 2) // divisor * divisor)
    if new_v < 0.9 * v:
        new_v += divisor
    return new_v


class SE(nn.Module):
    def __init__(self, c, r, per="in"):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(c, c // r), nn.SiLU(), nn.Linear(c // r, c), nn.Sigmoid())

    def forward(self, x):
        w = x.mean(dim=(2, 3))
        return x * self.fc(w)[..., None, None]


class MBConv(nn.Module):
    def __init__(self, cin, cout, stride, t, k, r, keep):
        super().__init__()
        if stride not in [1, 2]:
            raise ValueError("illegal stride value")
        hidden = round(cin * t)
        self.identity = stride == 1 and (cin == cout or keep)
        self.conv = nn.Sequential(
            nn.Conv2d(cin, hidden, 1, bias=False), nn.BatchNorm2d(hidden), nn.SiLU(),
            nn.Conv2d(hidden, hidden, k, stride, k // 2, groups=hidden, bias=False), nn.BatchNorm2d(hidden), nn.SiLU(),
            SE(hidden, r),
            nn.Conv2d(hidden, cout, 1, bias=False), nn.BatchNorm2d(cout))

    def forward(self, x):
        return x + self.conv(x) if self.identity else self.conv(x)


class Net(nn.Module):
    def __init__(self, cfgs, width_mult=1.0, divisor=8, k=3, r=4, keep=False, head=16, features=None):
        super().__init__()
        c = make_divisible(8 * width_mult, divisor)
        layers = [nn.Conv2d(3, c, 3, 2, 1)]
        for t, ch, n, s in cfgs:
            out = make_divisible(ch * width_mult, divisor)
            for i in range(n):
                layers.append(MBConv(c, out, s if i == 0 else 1, t, k, r, keep))
                c = out
        self.features = nn.Sequential(*layers)
        self.pool = nn.AdaptiveAvgPool2d((1, 1))
        head = make_divisible(head * width_mult, divisor) if width_mult > 1.0 else head
        self.fc = nn.Linear(features if features is not None else c, head)

    def forward(self, x):
        x = self.pool(self.features(x)).view(x.size(0), -1)
        return self.fc(x)


def run(x, cfgs, **kw):
    return Net(cfgs, **kw)(x)
