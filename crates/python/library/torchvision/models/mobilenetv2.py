"""MobileNet, version 2: narrow ends, wide middles."""

from torch import flatten, nn
from torch.nn import functional as F
from torchvision.models._blocks import Residual, conv_norm, divisible

# Expansion, channels, repetitions, stride.
_STAGES = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]


def _block(before, channels, stride, expansion):
    wide = before * expansion
    layers = [conv_norm(before, wide, 1, activation=nn.ReLU6)] if expansion != 1 else []
    layers += [conv_norm(wide, wide, 3, stride, wide, activation=nn.ReLU6), nn.Conv2d(wide, channels, 1, bias=False), nn.BatchNorm2d(channels)]
    return Residual("conv", nn.Sequential(*layers), stride == 1 and before == channels)


class MobileNetV2(nn.Module):
    def __init__(self, num_classes=1000, width_mult=1.0, inverted_residual_setting=None, round_nearest=8, block=None, norm_layer=None, dropout=0.2):
        super().__init__()
        before = divisible(32 * width_mult, round_nearest)
        self.last_channel = divisible(1280 * max(1.0, width_mult), round_nearest)
        layers = [conv_norm(3, before, 3, 2, activation=nn.ReLU6)]
        for expansion, channels, count, stride in inverted_residual_setting or _STAGES:
            channels = divisible(channels * width_mult, round_nearest)
            for place in range(count):
                layers.append(_block(before, channels, stride if place == 0 else 1, expansion))
                before = channels
        layers.append(conv_norm(before, self.last_channel, 1, activation=nn.ReLU6))
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Dropout(dropout), nn.Linear(self.last_channel, num_classes))

    def forward(self, x):
        return self.classifier(flatten(F.adaptive_avg_pool2d(self.features(x), (1, 1)), 1))


def build(name, trained, **options):
    return MobileNetV2(**options)
