"""Down to a code and back."""
import torch
from torch import nn
from torch.nn import functional as F


def run(x, hidden, code, width, side):
    n = x.shape[0]
    y = x.view(n, -1)
    y = F.relu(nn.Linear(width, hidden)(y))
    y = nn.Linear(hidden, code)(y)
    y = nn.Linear(code, width)(y)
    y = y.view(n, 1, side, side)
    return F.binary_cross_entropy_with_logits(y, x)
