"""A CNN whose normalisation, dropout and second stage are there only if asked for."""
import torch
from torch import nn


class ConvNet(nn.Module):
    def __init__(self, in_channels=3, channels=8, norm="none", groups=4, dropout=0.0, depth=1,
                 channels2=12, kernel=3, pool="max", num_classes=10, hidden=32):
        super().__init__()
        layers = []
        last = in_channels
        widths = [channels] if depth == 1 else [channels, channels2]
        for width in widths:
            layers.append(nn.Conv2d(last, width, kernel, bias=norm == "none"))
            if norm == "batch":
                layers.append(nn.BatchNorm2d(width))
            elif norm == "group":
                layers.append(nn.GroupNorm(groups, width))
            layers.append(nn.ReLU(inplace=True))
            if pool == "max":
                layers.append(nn.MaxPool2d(2))
            elif pool == "avg":
                layers.append(nn.AvgPool2d(3, 2))
            last = width
        if dropout:
            layers.append(nn.Dropout(dropout))
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(
            nn.Flatten(),
            nn.Linear(hidden, num_classes),
        )

    def forward(self, x):
        return self.classifier(self.features(x))


def run(x, **config):
    return ConvNet(**config)(x)
