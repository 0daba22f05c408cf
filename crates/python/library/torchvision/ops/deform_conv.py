"""Convolutions whose taps are moved by offsets."""

import torch
from _tensorvet import operate, require
from torch import nn
from torch._rules import one_kind, per_axis


def deform_conv2d(input: Tensor, offset: Tensor, weight: Tensor, bias: Tensor | None = None, stride=(1, 1), padding=(0, 0), dilation=(1, 1), mask: Tensor | None = None):
    require("`input` has a batch, channels, height and width", input.ndim == 4, "shape", input)
    require("`offset` has as many axes as `input`", offset.ndim == 4, "shape", input, offset)
    one_kind("deform_conv2d", input, offset, weight)
    rows, columns = weight.shape[-2:]
    groups = offset.shape[1] // (2 * rows * columns)
    if groups == 0:
        raise RuntimeError("`offset` has two channels for each of the " + str(rows * columns) + " taps, and this has " + str(offset.shape[1]))
    pads = per_axis(padding, 2, "padding")
    return operate("deform_conv", input, weight, offset, bias, mask, stride=per_axis(stride, 2, "stride"), padding=pads + pads, dilation=per_axis(dilation, 2, "dilation"), groups=input.shape[1] // weight.shape[1], offset_groups=groups, _as="deform_conv2d")


class DeformConv2d(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True):
        super().__init__()
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        self.in_channels, self.out_channels, self.kernel_size = in_channels, out_channels, tuple(per_axis(kernel_size, 2))
        self.stride, self.padding, self.dilation, self.groups = stride, padding, dilation, groups
        self.weight = nn.Parameter(torch.empty(out_channels, in_channels // groups, *self.kernel_size))
        self.bias = nn.Parameter(torch.empty(out_channels)) if bias else None

    def forward(self, input, offset, mask=None):
        return deform_conv2d(input, offset, self.weight, self.bias, self.stride, self.padding, self.dilation, mask)
