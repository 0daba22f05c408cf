"""A decoder that grows images: by interpolation, by transposed convolutions, or by shuffled pixels, and adds what it skips."""
import torch
from torch import nn
from torch.nn import functional as F


def up(kind, channels, out, kernel, extra):
    if kind == "transposed":
        return nn.ConvTranspose2d(channels, out, kernel, stride=2, padding=kernel // 2, output_padding=extra)
    if kind == "shuffle":
        return nn.Sequential(nn.Conv2d(channels, out * 4, kernel, padding=kernel // 2), nn.PixelShuffle(2))
    return nn.Conv2d(channels, out, kernel, padding=kernel // 2)


class Decoder(nn.Module):
    def __init__(self, kind="bilinear", kernel=3, extra=1, base=4, corners=False, join="add", size=16):
        super().__init__()
        self.kind, self.corners, self.join, self.size = kind, corners, join, size
        self.down = nn.ModuleList([nn.Conv2d(3, base, 3, 2, 1), nn.Conv2d(base, base * 2, 3, 2, 1)])
        self.up = up(kind, base * 2, base, kernel, extra)
        self.last = nn.Conv2d(base * (2 if join == "cat" else 1), 2, 1)

    def forward(self, x):
        first = F.relu(self.down[0](x))
        y = F.relu(self.down[1](first))
        if self.kind not in ("transposed", "shuffle"):
            y = F.interpolate(y, scale_factor=2, mode=self.kind, align_corners=self.corners)
        y = self.up(y)
        y = torch.cat([y, first], 1) if self.join == "cat" else y + first
        return F.interpolate(self.last(y), size=(self.size, self.size), mode="bilinear", align_corners=False)


def run(x, target, **kw):
    return F.cross_entropy(Decoder(**kw)(x), target)
