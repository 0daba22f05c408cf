"""Blocks of a feature map that are left out at random."""

from torch import nn


def _dropped(input, p, axes, training):
    if p < 0.0 or p > 1.0:
        raise ValueError("the probability lies between 0 and 1, and this is " + str(p))
    if input.ndim != axes:
        raise ValueError("a feature map has " + str(axes) + " axes here, and this has " + str(input.ndim))
    return input * 1.0 if training and p > 0.0 else input


def drop_block2d(input: Tensor, p: float, block_size: int, inplace: bool = False, eps: float = 1e-6, training: bool = True):
    return _dropped(input, p, 4, training)


def drop_block3d(input: Tensor, p: float, block_size: int, inplace: bool = False, eps: float = 1e-6, training: bool = True):
    return _dropped(input, p, 5, training)


class DropBlock2d(nn.Module):
    def __init__(self, p, block_size, inplace=False, eps=1e-6):
        super().__init__()
        self.p, self.block_size = p, block_size

    def forward(self, input):
        return drop_block2d(input, self.p, self.block_size, training=self.training)


class DropBlock3d(DropBlock2d):
    def forward(self, input):
        return drop_block3d(input, self.p, self.block_size, training=self.training)
