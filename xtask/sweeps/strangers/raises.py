"""Checks of all kinds: asserts with messages, custom exceptions, early returns, warnings, try/finally, loops with else."""
import warnings
import math
import torch
from torch import nn


class ConfigError(Exception):
    def __init__(self, key, value):
        super().__init__(f"bad {key}: {value}")
        self.key = key


def pairs(n):
    return [(a, n // a) for a in range(1, n + 1) if n % a == 0]


def validate(width, heads, ratio, kind, size):
    if not isinstance(width, int) or width <= 0:
        raise ConfigError("width", width)
    for d in (2, 3, 5):
        if width % d == 0:
            break
    else:
        raise ConfigError("width", width)
    assert math.gcd(width, heads) > 1 or heads == 1, (width, heads)
    if (width, heads) in [(12, 4), (24, 8)]:
        raise NotImplementedError
    if ratio != 0 and width / ratio > 40:
        warnings.warn("wide")
    if kind in {"a", "b"} and size > 3:
        return "small"
    elif kind == "c":
        return {"x": 1}[str(size)] if size == 1 else "mid"
    return [None, "mid", "big"][size]


def run(x, width=12, heads=2, ratio=2, kind="a", size=1):
    level = validate(width, heads, ratio, kind, size)
    try:
        lin = nn.Linear(x.shape[-1], width // ratio)
    except ZeroDivisionError:
        lin = nn.Linear(8, width)
    y = lin(x)
    if level is None:
        y = y.reshape(-1, heads, y.shape[-1] // heads)
    elif level == "mid":
        a, b = pairs(y.shape[-1])[1]
        y = y.unflatten(-1, (a, b))
    else:
        y = y.view(len(y), -1, 4)
    while y.dim() > 2:
        y = y.sum(1)
    return (y @ torch.ones(y.shape[1], max(1, heads - 2))).tolist()
