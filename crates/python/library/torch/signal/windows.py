"""Window functions: vectors of a given length."""

import _tensorvet
from _tensorvet import made, require
from torch._creation import kind_named
from torch._types import dtype as _dtype, strided


def _window(name, M, layout, dtype, requires_grad, device):
    require("the number of points is not negative", M >= 0, "value", raises=ValueError)
    require("a window is strided", layout is strided, "value", raises=ValueError)
    kind = kind_named(dtype) if dtype is None or isinstance(dtype, _dtype) else "none"
    require("a window holds float32 or float64", kind in ("f32", "f64"), "type", raises=ValueError)
    if not isinstance(M, int):
        raise TypeError(name + "() takes a whole number of points")
    _placed(device)
    return made(kind, [M])


def _placed(device: device | None):
    """Where a window is to lie is looked at last."""


def _plain(name):
    def function(M, *, sym: truth = True, dtype: object = None, layout: object = strided, device: object = None, requires_grad: bool = False):
        return _window(name, M, layout, dtype, requires_grad, device)

    return _tensorvet.named(name, function)


for _name in "bartlett blackman cosine hamming hann nuttall".split():
    _tensorvet.define(_name, _plain(_name))


def exponential(M, *, center=None, tau=1.0, sym: truth = True, dtype: object = None, layout: object = strided, device: object = None, requires_grad: bool = False):
    require("`tau` is positive", tau > 0, "value", raises=ValueError)
    require("a symmetric window has no centre of its own", not (sym and center is not None), "value", raises=ValueError)
    return _window("exponential", M, layout, dtype, requires_grad, device)


def gaussian(M, *, std=1.0, sym: truth = True, dtype: object = None, layout: object = strided, device: object = None, requires_grad: bool = False):
    require("`std` is positive", std > 0, "value", raises=ValueError)
    return _window("gaussian", M, layout, dtype, requires_grad, device)


def kaiser(M, *, beta=12.0, sym: truth = True, dtype: object = None, layout: object = strided, device: object = None, requires_grad: bool = False):
    require("`beta` is not negative", beta >= 0, "value", raises=ValueError)
    return _window("kaiser", M, layout, dtype, requires_grad, device)


def general_cosine(M, *, a, sym: truth = True, dtype: object = None, layout: object = strided, device: object = None, requires_grad: bool = False):
    if not isinstance(a, (list, tuple)):
        raise TypeError("general_cosine() takes a list of coefficients")
    require("there is a coefficient", len(a) > 0, "value", raises=ValueError)
    return _window("general_cosine", M, layout, dtype, requires_grad, device)


def general_hamming(M, *, alpha=0.54, sym: truth = True, dtype: object = None, layout: object = strided, device: object = None, requires_grad: bool = False):
    return _window("general_hamming", M, layout, dtype, requires_grad, device)
