"""AlexNet, a thirty-second as wide."""
import torch
from torch import nn


class AlexNet(nn.Module):
    def __init__(self, kernel1, stride1, padding1, kernel2, pool, features, classes, channels=3):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(channels, 2, kernel1, stride1, padding1),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(pool, 2),
            nn.Conv2d(2, 6, kernel2, padding=2),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(pool, 2),
            nn.Conv2d(6, 12, 3, padding=1),
            nn.ReLU(inplace=True),
            nn.Conv2d(12, 8, 3, padding=1),
            nn.ReLU(inplace=True),
            nn.Conv2d(8, 8, 3, padding=1),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(pool, 2),
        )
        self.classifier = nn.Sequential(
            nn.Dropout(),
            nn.Linear(features, 16),
            nn.ReLU(inplace=True),
            nn.Dropout(),
            nn.Linear(16, 16),
            nn.ReLU(inplace=True),
            nn.Linear(16, classes),
        )

    def forward(self, x):
        x = self.features(x)
        x = torch.flatten(x, 1)
        return self.classifier(x)


def run(x, kernel1, stride1, padding1, kernel2, pool, features, classes, channels=3):
    model = AlexNet(kernel1, stride1, padding1, kernel2, pool, features, classes, channels)
    return model(x)
