"""Embeddings, a margin head, proxies by class, and a choice of losses by number."""
import enum
import math
from typing import Optional

import torch
from torch import nn
from torch.nn import functional as F


class Pooling(enum.Enum):
    MEAN = "mean"
    MAX = "max"
    ATTENTION = "attention"
    GEM = "gem"


class AttentionPool(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.query = nn.Parameter(torch.zeros(1, 1, width))
        self.attn = nn.MultiheadAttention(width, heads, batch_first=True)

    def forward(self, x):
        out, _ = self.attn(self.query.expand(x.size(0), -1, -1), x, x)
        return out[:, 0]


def make_pool(pooling: Pooling, width: int, heads: int) -> nn.Module:
    match pooling:
        case Pooling.MEAN:
            return Lambda(lambda t: t.mean(1))
        case Pooling.MAX:
            return Lambda(lambda t: t.amax(dim=1))
        case Pooling.ATTENTION:
            return AttentionPool(width, heads)
    raise NotImplementedError(f"{pooling} is not there yet")


class Lambda(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x):
        return self.fn(x)


class Metric(nn.Module):
    def __init__(self, features=10, width=16, pooling="mean", heads=4, classes=6, proxies=1, margin=0.5, loss=0,
                 normalize=True, centre=None):
        super().__init__()
        if not 0 <= margin < math.pi / 2:
            raise ValueError("the margin is an angle")
        self.encoder = nn.Sequential(nn.Linear(features, width), nn.ReLU(), nn.Linear(width, width))
        self.pool = make_pool(Pooling(pooling), width, heads)
        self.weight = nn.Parameter(torch.randn(classes * proxies, width))
        self.classes, self.proxies = classes, proxies
        self.margin = margin
        self.normalize = normalize
        self.loss = [self.arc, self.proxy, self.centred][loss]
        self.centre = nn.Embedding(centre, width) if centre is not None else None

    def logits(self, z):
        w = F.normalize(self.weight) if self.normalize else self.weight
        z = F.normalize(z) if self.normalize else z
        out = F.linear(z, w)
        return out.view(-1, self.classes, self.proxies).amax(-1)

    def arc(self, z, y):
        logits = self.logits(z)
        hot = F.one_hot(y, self.classes)
        return F.cross_entropy(torch.where(hot.bool(), logits - self.margin, logits) * 30, y)

    def proxy(self, z, y):
        logits = self.logits(z)
        return -logits.gather(1, y[:, None]).mean()

    def centred(self, z, y):
        return F.mse_loss(z, self.centre(y))

    def forward(self, x, y):
        z = self.pool(self.encoder(x))
        return self.loss(z, y)


def run(x, label=0, **kw):
    y = torch.arange(label, label + x.shape[0])
    return Metric(**kw)(x, y)
