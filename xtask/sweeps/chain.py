"""A chain of convolutions and poolings that ends in a dense layer: what the first layers leave decides what fits the last."""
import torch
from torch import nn


class Chain(nn.Module):
    def __init__(self, depth, k1, s1, p1, k2, s2, k3, s3, p3, features):
        super().__init__()
        layers = [
            nn.Conv2d(3, 4, k1, s1, p1),
            nn.MaxPool2d(k2, s2),
            nn.Conv2d(4, 4, k3, s3, p3),
        ]
        for _ in range(depth):
            layers.append(nn.Conv2d(4, 4, 3, padding=1))
        layers.append(nn.MaxPool2d(2))
        self.layers = nn.Sequential(*layers)
        self.out = nn.Linear(features, 10)

    def forward(self, x):
        x = self.layers(x)
        return self.out(torch.flatten(x, 1))
