"""Two towers, compared."""
import torch
from torch import nn
from torch.nn import functional as F


def run(x, y, kernel, stride, width, features, dim, margin):
    conv = nn.Conv2d(1, width, kernel, stride)
    fc = nn.Linear(features, 4)
    a = fc(conv(x).flatten(1))
    b = fc(conv(y).flatten(1))
    d = F.cosine_similarity(a, b, dim=dim)
    return torch.clamp(margin - d, min=0)
