"""DenseNet: every layer sees what all before it found."""

from collections import OrderedDict

from torch import cat, flatten, nn
from torch.nn import functional as F


class _DenseLayer(nn.Module):
    def __init__(self, channels, growth, width):
        super().__init__()
        self.norm1, self.relu1, self.conv1 = nn.BatchNorm2d(channels), nn.ReLU(inplace=True), nn.Conv2d(channels, width * growth, 1, bias=False)
        self.norm2, self.relu2, self.conv2 = nn.BatchNorm2d(width * growth), nn.ReLU(inplace=True), nn.Conv2d(width * growth, growth, 3, padding=1, bias=False)

    def forward(self, found):
        x = self.conv1(self.relu1(self.norm1(cat(found, 1))))
        return self.conv2(self.relu2(self.norm2(x)))


class _DenseBlock(nn.ModuleDict):
    def __init__(self, layers, channels, width, growth):
        super().__init__()
        for place in range(layers):
            self.add_module("denselayer" + str(place + 1), _DenseLayer(channels + place * growth, growth, width))

    def forward(self, x):
        found = [x]
        for layer in self.children():
            found.append(layer(found))
        return cat(found, 1)


class DenseNet(nn.Module):
    def __init__(self, growth_rate=32, block_config=(6, 12, 24, 16), num_init_features=64, bn_size=4, drop_rate=0, num_classes=1000, memory_efficient=False):
        super().__init__()
        channels = num_init_features
        parts = [("conv0", nn.Conv2d(3, channels, 7, 2, 3, bias=False)), ("norm0", nn.BatchNorm2d(channels)), ("relu0", nn.ReLU(inplace=True)), ("pool0", nn.MaxPool2d(3, 2, 1))]
        for place, layers in enumerate(block_config):
            parts.append(("denseblock" + str(place + 1), _DenseBlock(layers, channels, bn_size, growth_rate)))
            channels += layers * growth_rate
            if place + 1 < len(block_config):
                narrowing = [("norm", nn.BatchNorm2d(channels)), ("relu", nn.ReLU(inplace=True)), ("conv", nn.Conv2d(channels, channels // 2, 1, bias=False)), ("pool", nn.AvgPool2d(2, 2))]
                parts.append(("transition" + str(place + 1), nn.Sequential(OrderedDict(narrowing))))
                channels //= 2
        parts.append(("norm5", nn.BatchNorm2d(channels)))
        self.features = nn.Sequential(OrderedDict(parts))
        self.classifier = nn.Linear(channels, num_classes)

    def forward(self, x):
        features = F.relu(self.features(x), inplace=True)
        return self.classifier(flatten(F.adaptive_avg_pool2d(features, (1, 1)), 1))


_KNOWN = {"densenet121": (32, (6, 12, 24, 16), 64), "densenet161": (48, (6, 12, 36, 24), 96), "densenet169": (32, (6, 12, 32, 32), 64), "densenet201": (32, (6, 12, 48, 32), 64)}


def build(name, trained, **options):
    return DenseNet(*_KNOWN[name], **options)
