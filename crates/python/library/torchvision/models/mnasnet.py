"""MNASNet."""

from torch import nn
from torchvision.models._blocks import divisible


class _InvertedResidual(nn.Module):
    def __init__(self, before, channels, kernel, stride, expansion):
        super().__init__()
        wide = before * expansion
        self.apply_residual = before == channels and stride == 1
        self.layers = nn.Sequential(
            nn.Conv2d(before, wide, 1, bias=False), nn.BatchNorm2d(wide), nn.ReLU(inplace=True),
            nn.Conv2d(wide, wide, kernel, padding=kernel // 2, stride=stride, groups=wide, bias=False), nn.BatchNorm2d(wide), nn.ReLU(inplace=True),
            nn.Conv2d(wide, channels, 1, bias=False), nn.BatchNorm2d(channels),
        )

    def forward(self, input):
        return self.layers(input) + input if self.apply_residual else self.layers(input)


class MNASNet(nn.Module):
    def __init__(self, alpha, num_classes=1000, dropout=0.2):
        super().__init__()
        depths = [divisible(depth * alpha) for depth in (32, 16, 24, 40, 80, 96, 192, 320)]
        first, second = depths[0], depths[1]
        layers = [nn.Conv2d(3, first, 3, padding=1, stride=2, bias=False), nn.BatchNorm2d(first), nn.ReLU(inplace=True)]
        layers += [nn.Conv2d(first, first, 3, padding=1, groups=first, bias=False), nn.BatchNorm2d(first), nn.ReLU(inplace=True)]
        layers += [nn.Conv2d(first, second, 1, bias=False), nn.BatchNorm2d(second)]
        before = second
        for channels, (kernel, stride, expansion, count) in zip(depths[2:], ((3, 2, 3, 3), (5, 2, 3, 3), (5, 2, 6, 3), (3, 1, 6, 2), (5, 2, 6, 4), (3, 1, 6, 1))):
            blocks = [_InvertedResidual(before if place == 0 else channels, channels, kernel, stride if place == 0 else 1, expansion) for place in range(count)]
            layers.append(nn.Sequential(*blocks))
            before = channels
        layers += [nn.Conv2d(before, 1280, 1, bias=False), nn.BatchNorm2d(1280), nn.ReLU(inplace=True)]
        self.layers = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Dropout(dropout, inplace=True), nn.Linear(1280, num_classes))

    def forward(self, x):
        return self.classifier(self.layers(x).mean([2, 3]))


def build(name, trained, **options):
    alpha = {"0_5": 0.5, "0_75": 0.75, "1_0": 1.0, "1_3": 1.3}[name.replace("mnasnet", "")]
    return MNASNet(alpha, **options)
