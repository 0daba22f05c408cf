"""SqueezeNet: convolutions that squeeze channels before they expand them."""

from torch import cat, flatten, nn


class Fire(nn.Module):
    def __init__(self, inplanes, squeeze_planes, expand1x1_planes, expand3x3_planes):
        super().__init__()
        self.squeeze, self.squeeze_activation = nn.Conv2d(inplanes, squeeze_planes, 1), nn.ReLU(inplace=True)
        self.expand1x1, self.expand1x1_activation = nn.Conv2d(squeeze_planes, expand1x1_planes, 1), nn.ReLU(inplace=True)
        self.expand3x3, self.expand3x3_activation = nn.Conv2d(squeeze_planes, expand3x3_planes, 3, padding=1), nn.ReLU(inplace=True)

    def forward(self, x):
        x = self.squeeze_activation(self.squeeze(x))
        return cat([self.expand1x1_activation(self.expand1x1(x)), self.expand3x3_activation(self.expand3x3(x))], 1)


# The first convolution, and before which of the eight fires there is pooling.
_KNOWN = {"1_0": ((96, 7), (0, 3, 7)), "1_1": ((64, 3), (0, 2, 4))}


class SqueezeNet(nn.Module):
    def __init__(self, version="1_0", num_classes=1000, dropout=0.5):
        super().__init__()
        if version not in _KNOWN:
            raise ValueError("Unsupported SqueezeNet version " + version + ": 1_0 or 1_1 expected")
        (channels, kernel), pooled = _KNOWN[version]
        layers = [nn.Conv2d(3, channels, kernel, stride=2), nn.ReLU(inplace=True)]
        for place, squeezed in enumerate((16, 16, 32, 32, 48, 48, 64, 64)):
            if place in pooled:
                layers.append(nn.MaxPool2d(3, 2, ceil_mode=True))
            layers.append(Fire(channels, squeezed, squeezed * 4, squeezed * 4))
            channels = squeezed * 8
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Dropout(dropout), nn.Conv2d(512, num_classes, 1), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d((1, 1)))
        self.num_classes = num_classes

    def forward(self, x):
        return flatten(self.classifier(self.features(x)), 1)


def build(name, trained, **options):
    return SqueezeNet(name.replace("squeezenet", ""), **options)
