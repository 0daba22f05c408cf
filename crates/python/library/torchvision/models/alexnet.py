"""AlexNet."""

from torch import flatten, nn


class AlexNet(nn.Module):
    def __init__(self, num_classes=1000, dropout=0.5):
        super().__init__()
        layers, before = [], 3
        for channels, kernel, stride, padding, pooled in ((64, 11, 4, 2, True), (192, 5, 1, 2, True), (384, 3, 1, 1, False), (256, 3, 1, 1, False), (256, 3, 1, 1, True)):
            layers += [nn.Conv2d(before, channels, kernel, stride, padding), nn.ReLU(inplace=True)]
            layers += [nn.MaxPool2d(3, 2)] if pooled else []
            before = channels
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d((6, 6))
        self.classifier = nn.Sequential(nn.Dropout(dropout), nn.Linear(256 * 36, 4096), nn.ReLU(inplace=True), nn.Dropout(dropout), nn.Linear(4096, 4096), nn.ReLU(inplace=True), nn.Linear(4096, num_classes))

    def forward(self, x):
        return self.classifier(flatten(self.avgpool(self.features(x)), 1))


def build(name, trained, **options):
    return AlexNet(**options)
