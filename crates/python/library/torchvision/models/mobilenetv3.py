"""MobileNet, version 3."""

from torch import flatten, nn
from torchvision.models._blocks import Residual, SqueezeExcitation, conv_norm, divisible

# Kernel, width, channels, squeezed and excited, hard swish, stride.
_STAGES = {
    "mobilenet_v3_large": [(3, 16, 16, 0, 0, 1), (3, 64, 24, 0, 0, 2), (3, 72, 24, 0, 0, 1), (5, 72, 40, 1, 0, 2), (5, 120, 40, 1, 0, 1), (5, 120, 40, 1, 0, 1), (3, 240, 80, 0, 1, 2), (3, 200, 80, 0, 1, 1), (3, 184, 80, 0, 1, 1), (3, 184, 80, 0, 1, 1), (3, 480, 112, 1, 1, 1), (3, 672, 112, 1, 1, 1), (5, 672, 160, 1, 1, 2), (5, 960, 160, 1, 1, 1), (5, 960, 160, 1, 1, 1)],
    "mobilenet_v3_small": [(3, 16, 16, 1, 0, 2), (3, 72, 24, 0, 0, 2), (3, 88, 24, 0, 0, 1), (5, 96, 40, 1, 1, 2), (5, 240, 40, 1, 1, 1), (5, 240, 40, 1, 1, 1), (5, 120, 48, 1, 1, 1), (5, 144, 48, 1, 1, 1), (5, 288, 96, 1, 1, 2), (5, 576, 96, 1, 1, 1), (5, 576, 96, 1, 1, 1)],
}
_LAST = {"mobilenet_v3_large": 1280, "mobilenet_v3_small": 1024}


def _block(before, kernel, wide, channels, excited, hard, stride):
    activation = nn.Hardswish if hard else nn.ReLU
    layers = [conv_norm(before, wide, 1, activation=activation)] if wide != before else []
    layers.append(conv_norm(wide, wide, kernel, stride, wide, activation=activation))
    if excited:
        layers.append(SqueezeExcitation(wide, divisible(wide // 4), scale_activation=nn.Hardsigmoid))
    layers.append(conv_norm(wide, channels, 1, activation=None))
    return Residual("block", nn.Sequential(*layers), stride == 1 and before == channels)


class MobileNetV3(nn.Module):
    def __init__(self, stages, last_channel, num_classes=1000, dropout=0.2, **options):
        super().__init__()
        layers, before = [conv_norm(3, 16, 3, 2, activation=nn.Hardswish)], 16
        for kernel, wide, channels, excited, hard, stride in stages:
            layers.append(_block(before, kernel, wide, channels, excited, hard, stride))
            before = channels
        layers.append(conv_norm(before, 6 * before, 1, activation=nn.Hardswish))
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Linear(6 * before, last_channel), nn.Hardswish(inplace=True), nn.Dropout(dropout), nn.Linear(last_channel, num_classes))

    def forward(self, x):
        return self.classifier(flatten(self.avgpool(self.features(x)), 1))


def build(name, trained, **options):
    return MobileNetV3(_STAGES[name], _LAST[name], **options)
