"""What several models are made of."""

from torch import nn
from torchvision.ops.misc import SqueezeExcitation


def divisible(value, divisor=8):
    """The nearest multiple, not more than a tenth below."""
    nearest = max(divisor, int(value + divisor / 2) // divisor * divisor)
    return nearest + divisor if nearest < 0.9 * value else nearest


def conv_norm(before, channels, kernel=3, stride=1, groups=1, norm=nn.BatchNorm2d, activation=nn.ReLU, dilation=1):
    """A convolution that keeps the size, a normalisation, an activation."""
    parts = [nn.Conv2d(before, channels, kernel, stride, (kernel - 1) // 2 * dilation, dilation, groups, bias=False), norm(channels)]
    if activation is not None:
        parts.append(activation() if activation in (nn.Sigmoid, nn.GELU) else activation(inplace=True))
    return nn.Sequential(*parts)


class Residual(nn.Module):
    """A block whose result is added to its input where the shapes allow it."""

    def __init__(self, name, block, keeps):
        super().__init__()
        setattr(self, name, block)
        self._name, self.use_res_connect = name, keeps

    def forward(self, x):
        found = getattr(self, self._name)(x)
        return x + found if self.use_res_connect else found
