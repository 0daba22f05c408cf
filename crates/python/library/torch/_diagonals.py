"""Triangles and diagonals of matrices."""

import _tensorvet
from _tensorvet import count, made, operate, require
from torch import _elements
from torch._rules import accept, axis, kind_of, letter, like
from torch._types import floated
from torch._views import diagonal


def _triangle(name):
    def function(input: Tensor, diagonal: int = 0, *, out: Tensor | None = None):
        require("`" + name + "` takes matrices", input.ndim >= 2, "shape", input)
        if not _tensorvet.follows_values() or letter(input) not in "hf" or 0 in input.shape:
            return like(input)
        return operate("trilu", input, k=diagonal, upper=name == "triu", _as=name)

    return _tensorvet.named(name, function)


tril, triu = _triangle("tril"), _triangle("triu")


def diag(input: Tensor, diagonal: int = 0, *, out: Tensor | None = None):
    require("`diag` takes a vector or a matrix", input.ndim == 1 or input.ndim == 2, "shape", input)
    if input.ndim == 1:
        size = input.shape[0] + (diagonal if diagonal >= 0 else -diagonal)
        result = made(kind_of(input), [size, size])
        return _elements.on_diagonal("diag", input, result) if diagonal == 0 else result
    return _diagonal(input, diagonal)


_diagonal = diagonal


def diagflat(input: Tensor, offset: int = 0):
    size = count(input.shape) + (offset if offset >= 0 else -offset)
    return made(kind_of(input), [size, size])


def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1):
    shape = list(input.shape)
    require("`diag_embed` takes a tensor with axes", len(shape) > 0, "shape", input)
    first, second = axis(dim1, len(shape) + 1), axis(dim2, len(shape) + 1)
    require("the two axes of a diagonal differ", first != second, "value", input)
    size = shape[-1] + (offset if offset >= 0 else -offset)
    rest = iter(shape[:-1])
    result = made(kind_of(input), [size if place in (first, second) else next(rest) for place in range(len(shape) + 1)])
    if not _elements.is_followed(input):
        return result
    return _elements.some_of(result, input, operate("mul", input, _tensorvet.number(kind_of(input), 0.0), _as="diag_embed"))


def vander(x: Tensor, N: int | None = None, increasing: bool = False):
    require("`vander` takes a vector", x.ndim == 1, "shape", x)
    require("the number of powers is not negative", N is None or N >= 0, "value", x)
    return made(kind_of(x) if kind_of(x) not in ("bool", "u8", "i8", "i16", "i32") else "i64", [x.shape[0], x.shape[0] if N is None else N])


def gradient(input: Tensor, *, spacing=None, dim=None, edge_order: int = 1):
    accept("gradient", "ihfc", input)
    require("`edge_order` is 1 or 2", edge_order in (1, 2), "value", input)
    rank = input.ndim
    places = list(range(rank)) if dim is None else [axis(each, rank) for each in ([dim] if isinstance(dim, int) else dim)]
    require("every axis is named once", len(set(places)) == len(places), "value", input)
    if _tensorvet.is_tensor(spacing):
        raise TypeError("gradient() takes spacings in a list")
    if isinstance(spacing, (list, tuple)):
        require("there is a spacing per axis", len(spacing) == len(places), "value", input)
        for place, each in zip(places, spacing):
            if _tensorvet.is_tensor(each):
                require("coordinates are a vector", each.ndim == 1, "shape", input, each)
    for place in places:
        require("an axis is longer than the order of its edges", input.shape[place] >= edge_order + 1, "shape", input)
    return tuple([like(input, floated(kind_of(input))) for _ in places])
