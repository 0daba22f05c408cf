"""A generator of transposed convolutions, and what judges it."""
import torch
from torch import nn
from torch.nn import functional as F


def run(z, noise, width, kernel, stride, padding, out_padding, judge):
    x = nn.ConvTranspose2d(noise, width * 2, 4)(z)
    x = nn.BatchNorm2d(width * 2)(x)
    x = nn.ConvTranspose2d(width * 2, width, kernel, stride, padding, out_padding)(x)
    x = nn.ConvTranspose2d(width, 3, kernel, stride, padding, out_padding)(x)
    x = nn.Conv2d(3, width, kernel, stride, padding)(x)
    x = nn.Conv2d(width, 1, judge)(x)
    return x.view(-1, 1).squeeze(1)
