"""VGG, a sixteenth as wide, of a depth that is a hyper-parameter."""
import torch
from torch import nn

DEPTHS = {11: [1, 1, 2, 2, 2], 13: [2, 2, 2, 2, 2], 16: [2, 2, 3, 3, 3]}


class VGG(nn.Module):
    def __init__(self, depth, kernel, padding, norm, features):
        super().__init__()
        layers = []
        channels = 3
        for block, count in enumerate(DEPTHS[depth]):
            width = min(4 * 2**block, 32)
            for _ in range(count):
                layers.append(nn.Conv2d(channels, width, kernel, padding=padding))
                if norm:
                    layers.append(nn.BatchNorm2d(width))
                layers.append(nn.ReLU())
                channels = width
            layers.append(nn.MaxPool2d(2))
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Linear(features, 16), nn.ReLU(), nn.Linear(16, 10))

    def forward(self, x):
        x = self.features(x)
        x = x.view(x.size(0), -1)
        return self.classifier(x)


def run(x, depth, kernel, padding, norm, features):
    model = VGG(depth, kernel, padding, norm, features)
    return model(x)
