"""What is refused is dealt with here and there: by the class of exception that the library raises, or by another one."""
import contextlib

import torch
from torch import nn
from torch.nn import functional as F


def normed(channels, groups):
    """Groups if they fit, else batches."""
    try:
        return nn.GroupNorm(groups, channels)
    except ValueError:
        return nn.BatchNorm2d(channels)


def convolution(channels, width, kernel, groups):
    try:
        return nn.Conv2d(channels, width, kernel, groups=groups, padding="same")
    except RuntimeError:
        # It is a ValueError that groups raise which do not fit: nothing is mended here.
        return nn.Conv2d(channels, width, kernel, padding="same")


class Net(nn.Module):
    def __init__(self, width=8, kernel=3, groups=1, norm_groups=2, heads=2, pool=2, classes=3):
        super().__init__()
        self.conv = convolution(4, width, kernel, groups)
        self.norm = normed(width, norm_groups)
        self.pool = pool
        try:
            self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        except AssertionError:
            self.attention = None
        self.head = nn.Linear(width, classes)

    def forward(self, x, label, axis):
        x = F.relu(self.norm(self.conv(x)))
        with contextlib.suppress(RuntimeError):
            x = F.avg_pool2d(x, self.pool)
        tokens = x.flatten(2).transpose(1, 2)
        if self.attention is not None:
            tokens, _ = self.attention(tokens, tokens, tokens)
        logits = self.head(tokens.mean(1))
        try:
            shares = logits.softmax(axis)
        except (ValueError, IndexError):
            shares = logits.softmax(-1)
        try:
            return F.nll_loss(shares.log(), label)
        except IndexError:
            return shares.sum()


def run(x, label=0, axis=1, **kw):
    return Net(**kw)(x, torch.full((x.shape[0],), label), axis)
