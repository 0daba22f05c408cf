"""VGG: blocks of 3×3 convolutions, each ended by pooling."""

from torch import flatten, nn

_BLOCKS = {"vgg11": (1, 1, 2, 2, 2), "vgg13": (2, 2, 2, 2, 2), "vgg16": (2, 2, 3, 3, 3), "vgg19": (2, 2, 4, 4, 4)}


class VGG(nn.Module):
    def __init__(self, features, num_classes=1000, init_weights=True, dropout=0.5):
        super().__init__()
        self.features = features
        self.avgpool = nn.AdaptiveAvgPool2d((7, 7))
        self.classifier = nn.Sequential(nn.Linear(512 * 49, 4096), nn.ReLU(True), nn.Dropout(dropout), nn.Linear(4096, 4096), nn.ReLU(True), nn.Dropout(dropout), nn.Linear(4096, num_classes))

    def forward(self, x):
        return self.classifier(flatten(self.avgpool(self.features(x)), 1))


def build(name, trained, **options):
    layers, before = [], 3
    for channels, count in zip((64, 128, 256, 512, 512), _BLOCKS[name.replace("_bn", "")]):
        for _ in range(count):
            layers += [nn.Conv2d(before, channels, 3, padding=1)] + ([nn.BatchNorm2d(channels)] if name.endswith("_bn") else []) + [nn.ReLU(True)]
            before = channels
        layers.append(nn.MaxPool2d(2, 2))
    return VGG(nn.Sequential(*layers), **options)
