"""The interface of torchtext that was called `torchtext.data` before."""

from torchtext.legacy import data, datasets
