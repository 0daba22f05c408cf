"""What functions of two arrays can do besides: fold an axis, run along it, meet every pair, change places."""

import _tensorvet
from _tensorvet import made
from numpy import _array, _tensor_of
from torch import _functions as f
from torch import _indexing
from torch._reductions import kept
from torch._rules import axes, axis as place_of, kind_of, like
from torch._types import summed

_TESTS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or", "logical_xor")


def with_methods(name, function):
    def folded(kind):
        return "bool" if name in _TESTS else summed(kind) if name in ("add", "multiply") else kind

    def reduce(array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
        tensor = _tensor_of(array)
        places = list(range(tensor.ndim)) if axis is None else axes(axis, tensor.ndim)
        return _array(made(folded(kind_of(tensor)), kept(tensor.shape, places, keepdims)))

    def accumulate(array, axis=0, dtype=None, out=None):
        tensor = _tensor_of(array)
        place_of(axis, tensor.ndim)
        return _array(like(tensor, folded(kind_of(tensor))))

    def reduceat(array, indices, axis=0, dtype=None, out=None):
        tensor, places = _tensor_of(array), _tensor_of(indices)
        place = place_of(axis, tensor.ndim)
        return _array(made(folded(kind_of(tensor)), [*tensor.shape[:place], places.shape[0], *tensor.shape[place + 1 :]]))

    def outer(a, b, **options):
        first, second = _tensor_of(a), _tensor_of(b)
        return function(_array(f.reshape(first, [*first.shape, *[1] * second.ndim])), _array(second))

    def at(a, indices, b=None):
        part = _indexing.index(a._tensor, indices)
        if b is not None and _tensorvet.is_tensor(part):
            function(_array(part), b)
        _tensorvet.replace(a._tensor, like(a._tensor))

    function.reduce, function.accumulate, function.reduceat, function.outer, function.at = reduce, accumulate, reduceat, outer, at
    return function
