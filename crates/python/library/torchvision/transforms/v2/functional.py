"""The second version of the functions."""

from torchvision.transforms.functional import *
