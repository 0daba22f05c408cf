"""Attention over some heads, and a projection."""
import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, features, heads, head):
        super().__init__()
        self.heads = heads
        self.head = head
        self.qkv = nn.Linear(features, 3 * heads * head)
        self.out = nn.Linear(heads * head, features)

    def forward(self, x):
        batch, length, _ = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(batch, length, self.heads, self.head).transpose(1, 2)
        k = k.view(batch, length, self.heads, self.head).transpose(1, 2)
        v = v.view(batch, length, self.heads, self.head).transpose(1, 2)
        weights = torch.softmax(q @ k.transpose(-2, -1) / self.head**0.5, dim=-1)
        y = (weights @ v).transpose(1, 2).reshape(batch, length, self.heads * self.head)
        return self.out(y)


def run(x, features, heads, head, hidden, norm):
    x = x + Attention(features, heads, head)(x)
    x = nn.LayerNorm(norm)(x)
    y = nn.Linear(features, hidden)(x)
    return x + nn.Linear(hidden, features)(F.gelu(y))
