"""Words, windows of several lengths, and the largest of each."""
import torch
from torch import nn
from torch.nn import functional as F


def run(x, words, embedding, kernel1, kernel2, filters, features):
    x = nn.Embedding(words, embedding)(x)
    x = x.transpose(1, 2)
    a = F.relu(nn.Conv1d(embedding, filters, kernel1)(x)).max(dim=2).values
    b = F.relu(nn.Conv1d(embedding, filters, kernel2)(x)).max(dim=2).values
    x = torch.cat([a, b], dim=1)
    return nn.Linear(features, 2)(x)
