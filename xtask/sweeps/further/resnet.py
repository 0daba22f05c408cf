"""A residual network of two stages."""
import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, inputs, outputs, kernel, stride, padding, project):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, kernel, stride, padding)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, kernel, 1, padding)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.short = nn.Conv2d(inputs, outputs, 1, stride) if project else nn.Identity()

    def forward(self, x):
        y = F.relu(self.norm1(self.conv1(x)))
        y = self.norm2(self.conv2(y))
        x = self.short(x)
        return F.relu(x + y)


def run(x, width, width2, kernel, padding, stride, project, classes):
    x = nn.Conv2d(3, width, 3, padding=1)(x)
    x = Block(width, width, kernel, 1, padding, False)(x)
    x = Block(width, width2, kernel, stride, padding, project)(x)
    x = F.adaptive_avg_pool2d(x, 1)
    x = torch.flatten(x, 1)
    return nn.Linear(width2, classes)(x)
