"""A recurrent classifier, in both directions or not."""
import torch
from torch import nn
from torch.nn import functional as F


def run(x, inputs, hidden, layers, bidirectional, features):
    lstm = nn.LSTM(inputs, hidden, layers, batch_first=True, bidirectional=bidirectional)
    out, (h, c) = lstm(x)
    last = out[:, -1]
    return nn.Linear(features, 3)(last)
