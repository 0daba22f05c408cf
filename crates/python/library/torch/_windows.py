"""Windows for short-time transforms, under the names that stand in `torch` itself."""

import _tensorvet
from _tensorvet import made, require
from torch._creation import kind_named
from torch._types import strided


def _window(name, window_length, layout, dtype):
    kind = kind_named(dtype)
    require("a window is strided", layout is None or layout._name == "strided", "value")
    require("the length of a window is not negative", window_length >= 0, "value")
    require("a window holds floating-point numbers", kind is None or kind in ("f16", "bf16", "f32", "f64"), "type")
    return made(kind, [window_length])


def _plain(name):
    def function(window_length: int, periodic: bool = True, *, dtype: dtype | None = None, layout: layout | None = strided, device: device | None = None, pin_memory: bool = False, requires_grad: bool = False):
        return _window(name, window_length, layout, dtype)

    return _tensorvet.named(name, function)


hann_window, blackman_window, bartlett_window = [_plain(name + "_window") for name in ("hann", "blackman", "bartlett")]


def _after(name, *given):
    """Arguments are given in their order, even by name."""
    for place in range(1, len(given)):
        if given[place] is not None and given[place - 1] is None:
            raise TypeError(name + "() received an invalid combination of arguments")


def hamming_window(window_length: int, periodic: bool | None = None, alpha: float | None = None, beta: float | None = None, *, dtype: dtype | None = None, layout: layout | None = strided, device: device | None = None, pin_memory: bool = False, requires_grad: bool = False):
    _after("hamming_window", periodic, alpha, beta)
    return _window("hamming_window", window_length, layout, dtype)


def kaiser_window(window_length: int, periodic: bool | None = None, beta: float | None = None, *, dtype: dtype | None = None, layout: layout | None = strided, device: device | None = None, pin_memory: bool = False, requires_grad: bool = False):
    _after("kaiser_window", periodic, beta)
    return _window("kaiser_window", window_length, layout, dtype)
