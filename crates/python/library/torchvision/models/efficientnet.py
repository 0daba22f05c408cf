"""EfficientNet: width and depth grow together."""

import math

from torch import flatten, nn
from torchvision.models._blocks import Residual, SqueezeExcitation, conv_norm, divisible

# Expansion, kernel, stride, channels before and after, repetitions.
_STAGES = [(1, 3, 1, 32, 16, 1), (6, 3, 2, 16, 24, 2), (6, 5, 2, 24, 40, 2), (6, 3, 2, 40, 80, 3), (6, 5, 1, 80, 112, 3), (6, 5, 2, 112, 192, 4), (6, 3, 1, 192, 320, 1)]
# Width, depth, dropout.
_KNOWN = {"b0": (1.0, 1.0, 0.2), "b1": (1.0, 1.1, 0.2), "b2": (1.1, 1.2, 0.3), "b3": (1.2, 1.4, 0.3), "b4": (1.4, 1.8, 0.4), "b5": (1.6, 2.2, 0.4), "b6": (1.8, 2.6, 0.5), "b7": (2.0, 3.1, 0.5)}


def _block(before, channels, kernel, stride, expansion, norm):
    wide = divisible(before * expansion)
    layers = [conv_norm(before, wide, 1, norm=norm, activation=nn.SiLU)] if wide != before else []
    layers += [conv_norm(wide, wide, kernel, stride, wide, norm, nn.SiLU), SqueezeExcitation(wide, max(1, before // 4), nn.SiLU), conv_norm(wide, channels, 1, norm=norm, activation=None)]
    return Residual("block", nn.Sequential(*layers), stride == 1 and before == channels)


class EfficientNet(nn.Module):
    def __init__(self, width, depth, dropout, num_classes=1000, norm_layer=None, **options):
        super().__init__()
        norm = norm_layer or nn.BatchNorm2d
        before = divisible(32 * width)
        layers = [conv_norm(3, before, 3, 2, norm=norm, activation=nn.SiLU)]
        for expansion, kernel, stride, _, channels, count in _STAGES:
            channels, stage = divisible(channels * width), []
            for place in range(int(math.ceil(count * depth))):
                stage.append(_block(before, channels, kernel, stride if place == 0 else 1, expansion, norm))
                before = channels
            layers.append(nn.Sequential(*stage))
        layers.append(conv_norm(before, 4 * before, 1, norm=norm, activation=nn.SiLU))
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Dropout(dropout), nn.Linear(4 * before, num_classes))

    def forward(self, x):
        return self.classifier(flatten(self.avgpool(self.features(x)), 1))


def build(name, trained, **options):
    width, depth, dropout = _KNOWN[name.split("_")[1]]
    return EfficientNet(width, depth, options.pop("dropout", dropout), **options)
