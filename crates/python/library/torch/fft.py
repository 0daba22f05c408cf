"""Fourier transforms: lengths of axes and types."""

import _tensorvet
from _tensorvet import made, require
from torch import _types
from torch._rules import accept, axes, axis, kind_of, letter, like
from torch._types import complex_of, floated, real_of

__aliases__ = {"axis": "dim"}
_NORMS = ("forward", "backward", "ortho")


def _transformed(name, input, lengths, places, norm, takes, gives, last=None):
    """Resizes axes to the given lengths; the last one is halved or doubled where numbers are real."""
    require("`norm` is 'forward', 'backward' or 'ortho'", norm is None or norm in _NORMS, "value", input)
    accept(name, "bif" if takes == "real" else "bifc", input, raises=TypeError if letter(input) == "c" else NotImplementedError)
    sizes = list(input.shape)
    for length, place in zip(lengths, places):
        if length is not None and length != -1:
            require("the length of a transform is positive", length > 0, "value", input)
            sizes[place] = length
    if last is not None:
        given = lengths[-1] if lengths[-1] is not None and lengths[-1] != -1 else None
        sizes[places[-1]] = last(sizes[places[-1]], given)
    for place in places:
        require("an axis that is transformed is not empty", sizes[place] > 0, "shape", input)
    if last is _halved:
        require("an axis that is transformed is not empty", given is not None or input.shape[places[-1]] > 0, "shape", input)
    kind = floated(kind_of(input))
    return made(complex_of(kind) if gives == "complex" else real_of(kind), sizes)


def _halved(size, given):
    return size // 2 + 1


def _doubled(size, given):
    return 2 * (size - 1) if given is None else given


_FORMS = {"fft": ("any", "complex", None), "ifft": ("any", "complex", None), "rfft": ("real", "complex", _halved), "irfft": ("any", "real", _doubled), "hfft": ("any", "real", _doubled), "ihfft": ("real", "complex", _halved)}


def _one(name):
    takes, gives, last = _FORMS[name]

    def function(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Tensor | None = None):
        require("a transform takes a tensor with axes", input.ndim > 0, "shape", input, raises=IndexError)
        require("the length of a transform is positive", n is None or n > 0, "value", input)
        return _transformed(name, input, [n], [axis(dim, input.ndim, input)], norm, takes, gives, last)

    return _tensorvet.named(name, function)


def _many(name, base, default):
    takes, gives, last = _FORMS[base]

    def function(input: Tensor, s: ints1 | None = None, dim: ints1 | None = default, norm: str | None = None, *, out: Tensor | None = None):
        rank = input.ndim
        dim = [dim] if isinstance(dim, int) else dim
        s = [s] if isinstance(s, int) else s
        if dim is None:
            places = list(range(rank)) if s is None else list(range(rank - len(s), rank))
            require("there are no more lengths than axes", s is None or len(s) <= rank, "value", input)
        else:
            places = axes(dim, rank)
            require("there is a length per axis", s is None or len(s) == len(places), "value", input)
            require("a transform takes a tensor with axes", rank > 0 or not places, "shape", input, raises=IndexError)
        require("at least one axis is transformed", len(places) > 0 or last is None, "value", input)
        return _transformed(name, input, [None] * len(places) if s is None else list(s), places, norm, takes, gives, last)

    return _tensorvet.named(name, function)


for _base in _FORMS:
    _tensorvet.define(_base, _one(_base))
    _tensorvet.define(_base + "2", _many(_base + "2", _base, (-2, -1)))
    _tensorvet.define(_base + "n", _many(_base + "n", _base, None))


def _shifted(name):
    def function(input: Tensor, dim: ints1 | None = None):
        require("a shift names axes", dim is None or isinstance(dim, int) or len(dim) > 0, "value", input)
        places = [] if dim is None else [dim] if isinstance(dim, int) else list(dim)
        for place in places:
            require("a shift takes a tensor with axes", input.ndim > 0, "shape", input, raises=IndexError)
            axis(place, input.ndim, input)
        return like(input)

    return _tensorvet.named(name, function)


fftshift, ifftshift = _shifted("fftshift"), _shifted("ifftshift")


def fftfreq(n: int, d: float = 1.0, *, out: Tensor | None = None, dtype: dtype | None = None, layout: layout | None = None, device: device | None = None, requires_grad: bool = False):
    return made(_types.DEFAULT["float"] if dtype is None else dtype._kind, [n])


def rfftfreq(n: int, d: float = 1.0, *, out: Tensor | None = None, dtype: dtype | None = None, layout: layout | None = None, device: device | None = None, requires_grad: bool = False):
    return made(_types.DEFAULT["float"] if dtype is None else dtype._kind, [n // 2 + 1])
