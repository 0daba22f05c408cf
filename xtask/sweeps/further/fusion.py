"""Features of an image and of a table, joined, with a loss."""
import torch
from torch import nn
from torch.nn import functional as F


def run(image, table, label, kernel, pool, width, columns, joined, classes):
    a = F.relu(nn.Conv2d(3, width, kernel)(image))
    a = F.max_pool2d(a, pool).flatten(1)
    b = nn.Linear(columns, 4)(table)
    x = torch.cat([a, b], dim=1)
    x = nn.Linear(joined, classes)(x)
    return F.cross_entropy(x, label)
