"""Depthwise-separable blocks with squeeze-and-excitation, as MobileNet makes them divisible."""
import torch
from torch import nn


def make_divisible(v, divisor, min_value=None):
    if min_value is None:
        min_value = divisor
    new_v = max(min_value, int(v + divisor / 2) // divisor * divisor)
    if new_v < 0.9 * v:
        new_v += divisor
    return new_v


class SqueezeExcite(nn.Module):
    def __init__(self, channels, reduction):
        super().__init__()
        self.fc1 = nn.Conv2d(channels, channels // reduction, 1)
        self.fc2 = nn.Conv2d(channels // reduction, channels, 1)

    def forward(self, x):
        s = x.mean((2, 3), keepdim=True)
        return x * torch.sigmoid(self.fc2(torch.relu(self.fc1(s))))


class InvertedResidual(nn.Module):
    def __init__(self, inp, oup, stride, expand_ratio, kernel=3, se=0):
        super().__init__()
        self.stride = stride
        if stride not in [1, 2]:
            raise ValueError(f"stride should be 1 or 2 instead of {stride}")
        hidden = int(round(inp * expand_ratio))
        self.use_res = stride == 1 and inp == oup
        layers = []
        if expand_ratio != 1:
            layers += [nn.Conv2d(inp, hidden, 1, bias=False), nn.BatchNorm2d(hidden), nn.ReLU6(inplace=True)]
        layers += [
            nn.Conv2d(hidden, hidden, kernel, stride, kernel // 2, groups=hidden, bias=False),
            nn.BatchNorm2d(hidden),
            nn.ReLU6(inplace=True),
        ]
        if se:
            layers.append(SqueezeExcite(hidden, se))
        layers += [nn.Conv2d(hidden, oup, 1, bias=False), nn.BatchNorm2d(oup)]
        self.conv = nn.Sequential(*layers)

    def forward(self, x):
        return x + self.conv(x) if self.use_res else self.conv(x)


class Net(nn.Module):
    def __init__(self, width_mult=1.0, round_nearest=8, stride=1, expand=2, kernel=3, se=0, head=24, classes=4):
        super().__init__()
        first = make_divisible(16 * width_mult, round_nearest)
        second = make_divisible(24 * width_mult, round_nearest)
        self.stem = nn.Conv2d(3, first, 3, 2, 1)
        self.block1 = InvertedResidual(first, second, stride, expand, kernel, se)
        self.block2 = InvertedResidual(second, second, 1, expand, kernel, se)
        self.head = nn.Linear(head, classes)

    def forward(self, x):
        x = self.block2(self.block1(self.stem(x)))
        return self.head(x.mean([2, 3]))


def run(x, **kw):
    return Net(**kw)(x)
