"""Super-resolution."""
import torch
from torch import nn
from torch.nn import functional as F


def run(x, width, kernel, padding, factor, target):
    x = F.relu(nn.Conv2d(1, width, kernel, padding=padding)(x))
    x = nn.Conv2d(width, width, 3, padding=1)(x)
    x = F.pixel_shuffle(x, factor)
    y = torch.zeros(x.shape[0], 1, target, target)
    return F.mse_loss(x.mean(1, keepdim=True), y)
