"""Operations on axes as modules of PyTorch."""

import einops
from einops._patterns import ELLIPSIS, EinopsError, Side, sides
from torch import nn


class Rearrange(nn.Module):
    def __init__(self, pattern, **axes_lengths):
        super().__init__()
        self.pattern, self.axes_lengths = pattern, axes_lengths
        sides(pattern, "rearrange", axes_lengths)

    def forward(self, x):
        return einops.rearrange(x, self.pattern, **self.axes_lengths)


class Reduce(nn.Module):
    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__()
        self.pattern, self.reduction, self.axes_lengths = pattern, reduction, axes_lengths
        sides(pattern, "reduce", axes_lengths)

    def forward(self, x):
        return einops.reduce(x, self.pattern, self.reduction, **self.axes_lengths)


class EinMix(nn.Module):
    """A linear map whose axes are named; those of the weight that the output lacks are summed over."""

    def __init__(self, pattern, weight_shape, bias_shape=None, **axes_lengths):
        super().__init__()
        self.pattern, self.axes_lengths = pattern, axes_lengths
        if pattern.count("->") != 1:
            raise EinopsError("a pattern has two sides with one `->` between them, and this is " + repr(pattern))
        left, right = [Side(part) for part in pattern.split("->")]
        weight = Side(weight_shape)
        if left.numbers or right.numbers or weight.numbers:
            raise EinopsError("EinMix takes names only, no numbers: " + repr(pattern))
        if "(" in weight_shape or ")" in weight_shape:
            raise EinopsError("the axes of the weight stand without brackets: " + repr(weight_shape))
        for name in weight.names:
            if name not in axes_lengths:
                raise EinopsError("the weight has an axis " + repr(name) + ", of which no size is given")
            if name not in left.names and name not in right.names:
                raise EinopsError("the weight has an axis " + repr(name) + ", which the pattern does not have")
        for name in right.names:
            if name not in left.names and name not in weight.names:
                raise EinopsError("neither the input nor the weight has the axis " + repr(name))
        for name in axes_lengths:
            if name not in left.names and name not in weight.names:
                raise EinopsError("a size is given for " + repr(name) + ", which neither the input nor the weight has")
        flat = lambda side: " ".join(["..." if name == ELLIPSIS else name for name in side.elements()])
        self._left, self._weight, self._right = left, flat(weight), right
        self.weight = nn.Parameter(_zeros([axes_lengths[name] for name in weight.names]))
        self.bias = None
        if bias_shape is not None:
            bias = Side(bias_shape)
            for name in bias.names:
                if name not in right.names:
                    raise EinopsError("the bias has an axis " + repr(name) + ", which the output does not have")
                if name not in axes_lengths:
                    raise EinopsError("the bias has an axis " + repr(name) + ", of which no size is given")
            self.bias = nn.Parameter(_zeros([axes_lengths[name] if name in bias.names else 1 for name in right.elements() if name != ELLIPSIS]))
        self._flat_left, self._flat_right = flat(left), flat(right)
        self._splits = {name: size for name, size in axes_lengths.items() if name in left.names}

    def forward(self, x):
        if any([len(group) != 1 for group in self._left.groups]):
            x = einops.rearrange(x, self._left.text + " -> " + self._flat_left, **self._splits)
        x = einops.einsum(x, self.weight, self._flat_left + ", " + self._weight + " -> " + self._flat_right)
        if self.bias is not None:
            x = x + self.bias
        if any([len(group) != 1 for group in self._right.groups]):
            lengths = {name: size for name, size in self.axes_lengths.items() if name in self._right.names}
            x = einops.rearrange(x, self._flat_right + " -> " + self._right.text, **lengths)
        return x


def _zeros(sizes):
    import torch

    return torch.zeros(sizes)
