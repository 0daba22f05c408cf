"""Branches that are left out at random."""

from torch import nn


def stochastic_depth(input: Tensor, p: float, mode: str, training: bool = True):
    if p < 0.0 or p > 1.0:
        raise ValueError("the probability lies between 0 and 1, and this is " + str(p))
    if mode not in ("batch", "row"):
        raise ValueError("mode is batch or row, and this is " + repr(mode))
    return input * 1.0 if training and p > 0.0 else input


class StochasticDepth(nn.Module):
    def __init__(self, p, mode):
        super().__init__()
        self.p, self.mode = p, mode

    def forward(self, input):
        return stochastic_depth(input, self.p, self.mode, self.training)
