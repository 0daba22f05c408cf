"""PyTorch by its shapes: tensors, and the functions of the top module."""

import _tensorvet

from torch._types import (
    bfloat16,
    bool,
    complex64,
    complex128,
    device,
    double,
    dtype,
    float,
    float16,
    float32,
    float64,
    half,
    int,
    int8,
    int16,
    int32,
    int64,
    long,
    promoted,
    short,
    uint8,
)
from torch._tensor import Tensor, Size
from torch._functions import *
from torch import nn
from torch import optim
from torch import utils

inf = 1e400
nan = 1e400 - 1e400
pi = 3.141592653589793
__version__ = "2.15.0"


class no_grad:
    """A context and a decorator; gradients do not change shapes."""

    def __init__(self, *arguments):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __call__(self, function):
        return function


enable_grad = inference_mode = no_grad


def set_grad_enabled(mode):
    return no_grad()


def manual_seed(seed):
    return None


def set_default_dtype(kind):
    return None


def is_tensor(value):
    return _tensorvet.is_tensor(value)


class _Accelerator:
    def is_available(self):
        return False

    def manual_seed(self, seed):
        return None

    manual_seed_all = manual_seed

    def device_count(self):
        return 0

    def empty_cache(self):
        return None

    def synchronize(self):
        return None


cuda = _Accelerator()
