"""Functions of `torch` that stand for whole procedures: short-time transforms, factorisations under old names, grids."""

import _tensorvet
from _tensorvet import made, require
from torch import _types
from torch._rules import accept, kind_of, like
from torch._types import complex_of, real_of
from torch._views import reshape, view_kind


def stft(input: Tensor, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: Tensor | None = None, center=True, pad_mode="reflect", normalized: bool = False, onesided: bool | None = None, return_complex: bool | None = None, align_to_window: bool | None = None):
    require("windows are aligned where the signal is not padded", not center or align_to_window is None, "value", input)
    accept("stft", "fc", input)
    require("`stft` takes a signal or a batch of them", input.ndim in (1, 2), "shape", input)
    is_complex = kind_of(input) in ("c64", "c128") or (window is not None and kind_of(window) in ("c64", "c128"))
    length = input.shape[-1] + (2 * (n_fft // 2) if center else 0)
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    require("the transform fits the signal", 0 < n_fft and n_fft <= length, "value", input)
    require("the hop is positive", hop > 0, "value", input)
    require("the window is positive and not longer than the transform", 0 < width and width <= n_fft, "value", input)
    if center and pad_mode == "reflect":
        require("the signal is longer than what is reflected", n_fft // 2 < input.shape[-1], "shape", input)
    if window is not None:
        require("the window is a vector of its length", window.ndim == 1 and window.shape[0] == width, "shape", window)
    onesided = not is_complex if onesided is None else onesided
    require("a one-sided transform takes real numbers", not (onesided and is_complex), "type", input)
    require("`return_complex` is given for real signals", return_complex is not None or is_complex, "value", input)
    rows = n_fft // 2 + 1 if onesided else n_fft
    columns = 1 + (length - n_fft) // hop
    sizes = [*input.shape[:-1], rows, columns]
    if return_complex or return_complex is None:
        return made(complex_of(kind_of(input)), sizes)
    return made(real_of(kind_of(input)), [*sizes, 2])


def istft(input: Tensor, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: Tensor | None = None, center: bool = True, normalized: bool = False, onesided: bool | None = None, length: int | None = None, return_complex: bool = False):
    accept("istft", "c", input, raises=TypeError)
    require("`istft` takes frequencies by frames, batched or not", input.ndim in (2, 3), "shape", input)
    for size in input.shape:
        require("`istft` takes something", size > 0, "shape", input)
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    one_sided = input.shape[-2] != n_fft if onesided is None else onesided
    require("there is a row per frequency", input.shape[-2] == (n_fft // 2 + 1 if one_sided else n_fft), "shape", input)
    require("the hop is positive and not longer than the window", 0 < hop and hop <= width, "value", input)
    require("the window is positive and not longer than the transform", 0 < width and width <= n_fft, "value", input)
    if window is not None:
        require("the window is a vector of its length", window.ndim == 1 and window.shape[0] == width, "shape", window)
    require("a one-sided transform gives real numbers", not (one_sided and return_complex), "value", input)
    kind = kind_of(input) if return_complex else real_of(kind_of(input))
    full = n_fft + hop * (input.shape[-1] - 1)
    start = n_fft // 2 if center else 0
    size = length if length is not None else full - start - (n_fft // 2 if center else 0)
    return made(kind, [*input.shape[:-2], size])


def fill(input: Tensor, value: Operand):
    if _tensorvet.is_tensor(value):
        require("a tensor is filled with one number", value.ndim == 0, "shape", input, value)
    require("a complex number needs a complex tensor", not isinstance(value, complex) or kind_of(input) in ("c64", "c128"), "type", input)
    return like(input)


def view_copy(input: Tensor, size: ints | dtype = None, *, dtype: dtype | None = None, out: Tensor | None = None):
    if (size is None) == (dtype is None):
        raise TypeError("view_copy() takes a shape or a type")
    kind = size if isinstance(size, _types.dtype) else dtype
    return reshape(input, tuple(size)) if kind is None else view_kind(input, kind._kind)


def zero_(input: Tensor):
    return _tensorvet.replace(input, like(input))
