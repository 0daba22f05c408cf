"""ConvNeXt: convolutions arranged as in a transformer."""

import torch
from torch import nn

_KNOWN = {"convnext_tiny": ((96, 192, 384, 768), (3, 3, 9, 3)), "convnext_small": ((96, 192, 384, 768), (3, 3, 27, 3)), "convnext_base": ((128, 256, 512, 1024), (3, 3, 27, 3)), "convnext_large": ((192, 384, 768, 1536), (3, 3, 27, 3))}


class LayerNorm2d(nn.LayerNorm):
    def forward(self, x):
        return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class _Permute(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.dims = dims

    def forward(self, x):
        return x.permute(*self.dims)


class CNBlock(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.block = nn.Sequential(nn.Conv2d(dim, dim, 7, padding=3, groups=dim), _Permute([0, 2, 3, 1]), nn.LayerNorm(dim, eps=1e-6), nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim), _Permute([0, 3, 1, 2]))
        self.layer_scale = nn.Parameter(torch.ones(dim, 1, 1))

    def forward(self, input):
        return self.layer_scale * self.block(input) + input


class ConvNeXt(nn.Module):
    def __init__(self, widths, depths, num_classes=1000, **options):
        super().__init__()
        layers = [nn.Sequential(nn.Conv2d(3, widths[0], 4, 4), LayerNorm2d(widths[0], eps=1e-6))]
        for place, (width, depth) in enumerate(zip(widths, depths)):
            layers.append(nn.Sequential(*[CNBlock(width) for _ in range(depth)]))
            if place + 1 < len(widths):
                layers.append(nn.Sequential(LayerNorm2d(width, eps=1e-6), nn.Conv2d(width, widths[place + 1], 2, 2)))
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(LayerNorm2d(widths[-1], eps=1e-6), nn.Flatten(1), nn.Linear(widths[-1], num_classes))

    def forward(self, x):
        return self.classifier(self.avgpool(self.features(x)))


def build(name, trained, **options):
    return ConvNeXt(*_KNOWN[name], **options)
