"""Random numbers: shapes and types are known, values are not."""

import _tensorvet
from _tensorvet import count, leaf, made, require
from torch import _elements
from torch._creation import _differentiable, kind_named
from torch._reductions import MISSING
from torch._rules import accept, kind_of, like


def randint(low: int, high=None, size=None, *, generator: Generator | None = None, out: Out | None = None, dtype: dtype | None = None, layout: layout | None = None, device: device | None = None, pin_memory: bool = False, requires_grad: bool = False):
    if isinstance(high, (tuple, list)) and size is None:
        low, high, size = 0, low, high
    elif high is None and size is not None:
        low, high = 0, low
    if size is None or not isinstance(size, (tuple, list)) or not isinstance(high, int):
        raise TypeError("randint() needs a bound and a size")
    kind = kind_named(dtype, "i64")
    require("random numbers lie between two bounds, the lower first", low < high, "value")
    require("`randint` makes no complex numbers", kind not in ("c64", "c128"), "type")
    _in_range(kind, low, high - 1)
    _differentiable(kind, requires_grad)
    return leaf(_tensorvet.between(made(kind, size), low, high - 1), requires_grad)


_RANGES = {"bool": (0, 1), "u8": (0, 255), "i8": (-128, 127), "i16": (-32768, 32767)}


def _in_range(kind, low, high):
    if kind in _RANGES:
        least, most = _RANGES[kind]
        require("the bounds lie within the type", least <= low and high <= most, "value")


def randint_like(input: Tensor, low: int, high: int = None, *, dtype: dtype | None = None, layout: layout | None = None, device: device | None = None, pin_memory: bool = False, requires_grad: bool = False, memory_format: memory_format | None = None):
    low, high = (0, low) if high is None else (low, high)
    kind = kind_named(dtype, kind_of(input))
    require("random numbers lie between two bounds, the lower first", low < high, "value")
    require("`randint_like` makes no complex numbers", kind not in ("c64", "c128"), "type")
    _in_range(kind, low, high - 1)
    _differentiable(kind, requires_grad)
    return leaf(_tensorvet.between(like(input, kind), low, high - 1), requires_grad)


def randperm(n: int, *, generator: Generator | None = None, out: Out | None = None, dtype: dtype | None = None, layout: layout | None = None, device: device | None = None, requires_grad: bool = False, pin_memory: bool = False):
    require("the number of elements is not negative", n >= 0, "value")
    kind = kind_named(dtype, "i64")
    require("the type asked for is that of `out`", out is None or dtype is None or kind_of(out) == kind, "type")
    require("`randperm` makes integers or floating-point numbers", kind not in ("bool", "c64", "c128"), "type", raises=NotImplementedError)
    _differentiable(kind, requires_grad)
    return leaf(_tensorvet.between(made(kind, [n]), 0, n - 1), requires_grad)


def normal(mean: Operand, std: Operand = 1, size: ints | None = None, *, generator: Generator | None = None, out: Out | None = None, dtype: dtype | None = None, layout: layout | None = None, device: device | None = None, pin_memory: bool = False, requires_grad: bool = False):
    # With a size, tensors without axes are numbers.
    tensors = [each for each in (mean, std) if _tensorvet.is_tensor(each) and (size is None or each.ndim > 0)]
    if not tensors:
        if size is None:
            raise TypeError("normal() needs a size")
        if not _tensorvet.is_tensor(std):
            require("a deviation is not negative", std >= 0, "value")
        result = made(kind_named(dtype), size)
        if _elements.is_followed(result) and not _tensorvet.is_tensor(mean) and not _tensorvet.is_tensor(std):
            result = _elements.drawn_around("normal", result, mean, std)
        return leaf(result, requires_grad)
    if size is not None or dtype is not None:
        raise TypeError("normal() takes a size for two numbers only")
    if not _tensorvet.is_tensor(std):
        require("a deviation is not negative", std >= 0, "value")
    result = _tensorvet.broadcast(kind_of(tensors[0]), tensors, "normal")
    if 0 not in result.shape:
        accept("normal", "hfc", result)
    if _elements.are_followed([result, *tensors]):
        return _elements.drawn_around("normal", result, mean, std)
    return result


def bernoulli(input: Tensor, p: float | None = MISSING, *, generator: Generator | None = None, out: Out | None = None):
    if p is not MISSING and (p is None or out is not None):
        raise TypeError("bernoulli() takes a probability, or a tensor to fill")
    if not _tensorvet.any_is(input.shape, 0) or p is not MISSING:
        accept("bernoulli", "hf" if p is MISSING else "bihf", input)
    if p is not MISSING:
        require("a probability lies between 0 and 1", 0 <= p and p <= 1, "value", input)
    if out is None and _elements.is_followed(input):
        return _elements.ones_by_chance("bernoulli", input, input if p is MISSING else p)
    # A tensor that is given keeps its type.
    return like(input, None if out is None else kind_of(out))


def poisson(input: Tensor, generator: Generator | None = None):
    accept("poisson", "hf", input)
    return like(input)


def multinomial(input: Tensor, num_samples: int, replacement: bool = False, *, generator: Generator | None = None, out: Tensor | None = None):
    accept("multinomial", "hf", input, raises=RuntimeError)
    require("`multinomial` takes a vector or a matrix of weights", input.ndim in (1, 2), "shape", input)
    require("at least one sample is drawn", num_samples > 0, "value", input)
    require("no more is drawn than there is, without replacement", replacement or num_samples <= input.shape[-1], "value", input)
    return _tensorvet.between(made("i64", [*input.shape[:-1], num_samples]), 0, input.shape[-1] - 1)
