"""Functions of arrays: those of tensors, with NumPy's names, types and axes."""

import builtins

import _tensorvet
from _tensorvet import count, made, require
from numpy import _array, _kinds, _sizes, _tensor_of, _unwrapped, ndarray
from numpy._ufuncs import with_methods
from torch import _functions as f
from torch import _types
from torch._rules import as_kind, kind_of, like

METHODS = {}


def _define(name, function, method=False):
    _tensorvet.define(name, function)
    if method:
        METHODS[name] = function


def _operands(*values):
    """Arrays and numbers in their common type, as tensors."""
    kind, numbers, tensors = None, [], []
    for value in values:
        if isinstance(value, (builtins.int, builtins.float, builtins.bool, complex)):
            numbers.append(value)
            tensors.append(None)
        else:
            tensors.append(_tensor_of(value))
            kind = _kinds.promoted(kind, kind_of(tensors[-1]))
    for number in numbers:
        kind = _kinds.with_number(kind, number)
    return kind, [_tensor_of(value) if tensor is None else tensor for value, tensor in zip(values, tensors)]


def _binary(name, function, floats=False, test=False):
    def apply(x1, x2, out=None, where=True, **options):
        if builtins.any([_tensorvet.is_unknown(each) and not _tensorvet.is_real(each) for each in (x1, x2)]):
            return _array(_tensorvet.unknown_tensor(None))
        kind, (a, b) = _operands(x1, x2)
        kind = _kinds.floated(kind) if floats else kind
        return _array(function(as_kind(a, kind), as_kind(b, kind)))

    return with_methods(name, _tensorvet.named(name, apply))


_BINARY = dict(add=f.add, subtract=f.sub, multiply=f.mul, floor_divide=f.floor_divide, remainder=f.remainder, power=f.pow, maximum=f.maximum, minimum=f.minimum, equal=f.eq, not_equal=f.ne, less=f.lt, less_equal=f.le, greater=f.gt, greater_equal=f.ge)
_BINARY.update(logical_and=f.logical_and, logical_or=f.logical_or, logical_xor=f.logical_xor, bitwise_and=f.bitwise_and, bitwise_or=f.bitwise_or, bitwise_xor=f.bitwise_xor, matmul=f.matmul)
for _name, _function in _BINARY.items():
    _define(_name, _binary(_name, _function))
for _name, _function in dict(divide=f.div, arctan2=f.atan2, hypot=f.hypot).items():
    _define(_name, _binary(_name, _function, True))
true_divide, mod, fmod, fmax, fmin = divide, remainder, remainder, maximum, minimum

_SIGNS = dict(add=add, sub=subtract, mul=multiply, truediv=divide, floordiv=floor_divide, mod=remainder, pow=power, matmul=matmul)
_SIGNS["and"], _SIGNS["or"], _SIGNS["xor"] = bitwise_and, bitwise_or, bitwise_xor
_TENSOR_SIGNS = dict(add=f.add, sub=f.sub, mul=f.mul, truediv=f.div, floordiv=f.floor_divide, mod=f.remainder, pow=f.pow, matmul=f.matmul, eq=f.eq, ne=f.ne, lt=f.lt, le=f.le, gt=f.gt, ge=f.ge)
_TENSOR_SIGNS["and"], _TENSOR_SIGNS["or"], _TENSOR_SIGNS["xor"] = f.bitwise_and, f.bitwise_or, f.bitwise_xor


def _with_tensor(name, array, tensor, swapped):
    """A sign between an array and a tensor of PyTorch gives a tensor; an array without axes counts as a number."""
    given = array.item() if _tensorvet.decided(array.ndim == 0) is True else array._tensor
    function = _TENSOR_SIGNS[name]
    return function(tensor, given) if swapped else function(given, tensor)


def _sign(name, function, swapped=False, stays=False):
    def method(self, other):
        if _tensorvet.is_tensor(other) and not stays:
            return _with_tensor(name, self, other, swapped)
        if not isinstance(other, (ndarray, builtins.int, builtins.float, complex, list, tuple)) and not _tensorvet.is_tensor(other) and not _tensorvet.is_unknown(other):
            return NotImplemented
        result = function(other, self) if swapped else function(self, other)
        if not stays:
            return result
        kind = kind_of(self._tensor)
        require("an array keeps its shape when it is changed in place", result.shape == self.shape, "shape", self._tensor)
        require("the result has a type that the array can hold", kind is None or kind_of(result._tensor) is None or _types.kind_class(kind_of(result._tensor)) <= _types.kind_class(kind), "type", self._tensor)
        self._tensor = as_kind(result._tensor, kind)
        return self

    return method


for _name, _function in _SIGNS.items():
    setattr(ndarray, "__" + _name + "__", _sign(_name, _function))
    setattr(ndarray, "__r" + _name + "__", _sign(_name, _function, True))
    setattr(ndarray, "__i" + _name + "__", _sign(_name, _function, False, True))
for _name, _function in dict(eq=equal, ne=not_equal, lt=less, le=less_equal, gt=greater, ge=greater_equal).items():
    setattr(ndarray, "__" + _name + "__", _sign(_name, _function))


def _unary(name, function, floats):
    def apply(x, out=None, where=True, **options):
        if isinstance(x, (builtins.int, builtins.float)) and not _tensorvet.is_number(x):
            return _tensorvet.unknown("a number", "float")
        tensor = _tensor_of(x)
        kind = kind_of(tensor)
        return _array(function(as_kind(tensor, _kinds.floated(kind)) if floats else tensor))

    return _tensorvet.named(name, apply)


for _name in "sin cos tan sinh cosh tanh exp exp2 expm1 log log2 log10 log1p sqrt cbrt floor ceil rint trunc deg2rad rad2deg".split():
    _define(_name, _unary(_name, getattr(f, {"cbrt": "sqrt", "rint": "round"}.get(_name, _name)), True))
for _name, _other in dict(arcsin="asin", arccos="acos", arctan="atan", arcsinh="asinh", arccosh="acosh", arctanh="atanh").items():
    _define(_name, _unary(_name, getattr(f, _other), True))
for _name in "abs absolute negative sign square logical_not isnan isinf isfinite reciprocal".split():
    _define(_name, _unary(_name, getattr(f, _name), False))
conj = conjugate = real = lambda x: x
invert = bitwise_not = _unary("invert", f.bitwise_not, False)
for _name, _function in dict(neg=negative, abs=absolute, invert=invert).items():
    setattr(ndarray, "__" + _name + "__", lambda self, function=_function: function(self))
setattr(ndarray, "__pos__", lambda self: self)


def _reduced(tensor, axis, keepdims, kind):
    """A result with axes gone, or kept with one element."""
    rank = tensor.ndim
    axes = list(range(rank)) if axis is None else [axis] if isinstance(axis, builtins.int) else list(axis)
    for each in axes:
        require("`axis` is one of the axes", -rank <= each and each < rank, "value", tensor)
    axes = [each + rank if each < 0 else each for each in axes]
    return made(kind, [1 if place in axes else size for place, size in enumerate(tensor.shape) if keepdims or place not in axes])


# Whole numbers that often become sizes.
_FOLDS = {"sum": builtins.sum, "prod": _tensorvet.count, "max": builtins.max, "min": builtins.min}
_FOLDS.update(amax=builtins.max, amin=builtins.min)


def _folded_number(name, tensor):
    """What a handful of whole numbers make together, where they are known."""
    numbers = _tensorvet.entries(tensor) if name in _FOLDS and kind_of(tensor) == "i64" else None
    return _FOLDS[name](numbers) if numbers and len(numbers) <= 64 else None


def _reduction(name, kind_rule):
    def apply(a, axis=None, dtype=None, out=None, keepdims=False, **options):
        if name in ("max", "min", "amax", "amin", "all", "any", "argmax", "argmin", "ptp", "median", "nanmax", "nanmin", "nanmedian") and not isinstance(dtype, (_kinds.dtype, str)):
            dtype = None
        tensor = _tensor_of(a)
        if _tensorvet.is_unknown(_tensorvet.shape(tensor)) and axis is not None:
            return _array(_tensorvet.unknown_tensor(kind_rule(kind_of(tensor))))
        if axis is None and not keepdims:
            kind, number = _kinds.kind_named(dtype, kind_rule(kind_of(tensor))), _folded_number(name, tensor)
            if number is not None and kind == "i64":
                return _array(_tensorvet.constant(kind, [], [number]))
        result = _reduced(tensor, axis, keepdims, _kinds.kind_named(dtype, kind_rule(kind_of(tensor))))
        if name in ("argmax", "argmin", "nanargmax"):
            result = _tensorvet.between(result, 0, (count(tensor.shape) if axis is None else tensor.shape[axis]) - 1)
        elif name in ("max", "min", "amax", "amin"):
            result = _tensorvet.one_of_those(result, tensor)
        return _array(result)

    _define(name, _tensorvet.named(name, apply), True)


def _summed(kind):
    return kind if kind is None or _types.kind_class(kind) >= 2 else "u64" if kind in ("u8", "u16", "u32", "u64") else "i64"


for _names, _rule in (("sum prod nansum nanprod", _summed), ("mean std var median average nanmean nanstd nanvar nanmedian", _kinds.floated), ("max min amax amin ptp nanmax nanmin", lambda kind: kind), ("argmax argmin count_nonzero nanargmax", lambda kind: "i64"), ("all any", lambda kind: "bool")):
    for _name in _names.split():
        _reduction(_name, _rule)


def _quantile(a, q, axis=None, **options):
    tensor = _tensor_of(a)
    rest = _reduced(tensor, axis, False, _kinds.floated(kind_of(tensor)))
    return _array(rest if isinstance(q, (builtins.int, builtins.float)) else made(kind_of(rest), [*_tensor_of(q).shape, *rest.shape]))


percentile = quantile = _quantile


def reshape(a, shape, order="C", **options):
    return _array(f.reshape(_tensor_of(a), tuple(_sizes(_unwrapped(shape)))))


def ravel(a, order="C"):
    return _array(f.reshape(_tensor_of(a), (-1,)))


flatten = ravel


def transpose(a, axes=None):
    tensor = _tensor_of(a)
    return _array(f.permute(tensor, tuple(reversed(range(tensor.ndim))) if axes is None else tuple(axes)))


def squeeze(a, axis=None):
    tensor = _tensor_of(a)
    if axis is None:
        return _array(f.squeeze(tensor))
    for each in [axis] if isinstance(axis, builtins.int) else axis:
        require("an axis that is squeezed has size one", tensor.shape[each] == 1, "shape", tensor)
    return _array(f.squeeze(tensor, axis))


def expand_dims(a, axis):
    tensor = _tensor_of(a)
    for each in [axis] if isinstance(axis, builtins.int) else sorted(axis):
        tensor = f.unsqueeze(tensor, each)
    return _array(tensor)


def swapaxes(a, axis1, axis2):
    return _array(f.transpose(_tensor_of(a), axis1, axis2))


def moveaxis(a, source, destination):
    return _array(f.movedim(_tensor_of(a), source, destination))


def rollaxis(a, axis, start=0):
    return _array(f.movedim(_tensor_of(a), axis, start if start <= axis else start - 1))


def _joined(name, arrays):
    tensors = [_tensor_of(each) for each in (arrays if isinstance(arrays, (list, tuple)) else list(arrays))]
    kind = None
    for tensor in tensors:
        kind = _kinds.promoted(kind, kind_of(tensor))
    return [as_kind(tensor, kind) for tensor in tensors]


def concatenate(arrays, axis=0, **options):
    tensors = _joined("concatenate", arrays)
    if axis is None:
        axis, tensors = 0, [f.reshape(tensor, (-1,)) for tensor in tensors]
    return _array(f.cat(tensors, axis))


def stack(arrays, axis=0, **options):
    return _array(f.stack(_joined("stack", arrays), axis))


concat = concatenate
for _name in ("vstack", "hstack", "dstack", "column_stack"):
    _define(_name, lambda tup, function=getattr(f, _name), **options: _array(function(_joined("stack", tup))))
row_stack = vstack


def append(arr, values, axis=None):
    return concatenate([arr, values], axis)


def split(ary, indices_or_sections, axis=0):
    return [_array(each) for each in f.tensor_split(_tensor_of(ary), indices_or_sections, axis)]


array_split = split


def tile(A, reps):
    return _array(f.tile(_tensor_of(A), tuple(_sizes(reps))))


def repeat(a, repeats, axis=None):
    tensor = _tensor_of(a)
    if axis is None:
        axis, tensor = 0, f.reshape(tensor, (-1,))
    return _array(f.repeat_interleave(tensor, _unwrapped(repeats), axis))


def where(condition, x=None, y=None):
    test = _tensor_of(condition)
    if x is None:
        count = _tensorvet.symbol("found", 0, 2147483646, "the number of elements for which a condition holds")
        return tuple([_array(made("i64", [count])) for _ in range(max_rank(test))])
    kind, (a, b) = _operands(x, y)
    return _array(_tensorvet.broadcast(kind, [test, a, b], "where"))


def max_rank(tensor):
    """The number of axes, of which an array of one at least has one."""
    rank = tensor.ndim
    return builtins.max(rank, 1) if _tensorvet.is_number(rank) else 1


def nonzero(a):
    return where(a)


def argwhere(a):
    found = where(a)
    return _array(made("i64", [found[0].shape[0], len(found)]))


def clip(a, a_min=None, a_max=None, out=None, **options):
    return _array(like(_tensor_of(a)))


def _same(name, kind=None):
    def apply(a, *arguments, **options):
        return _array(like(_tensor_of(a), kind))

    _define(name, _tensorvet.named(name, apply), True)


for _name in "round around nan_to_num flip fliplr flipud roll sort triu tril".split():
    _same(_name)
_same("argsort", "i64")


def cumsum(a, axis=None, dtype=None, out=None):
    tensor = _tensor_of(a)
    tensor = f.reshape(tensor, (-1,)) if axis is None else tensor
    return _array(like(tensor, _kinds.kind_named(dtype, _summed(kind_of(tensor)))))


cumprod = cumsum


def diff(a, n=1, axis=-1, **options):
    return _array(f.diff(_tensor_of(a), n, axis))


def dot(a, b, out=None):
    kind, (x, y) = _operands(a, b)
    x, y = as_kind(x, kind), as_kind(y, kind)
    if x.ndim == 0 or y.ndim == 0:
        return _array(f.mul(x, y))
    if y.ndim <= 2:
        return _array(f.matmul(x, y))
    return _array(f.tensordot(x, y, ([-1], [-2])))


def einsum(subscripts, *operands, **options):
    kind, tensors = _operands(*operands)
    return _array(f.einsum(subscripts, *[as_kind(tensor, kind) for tensor in tensors]))


def tensordot(a, b, axes=2):
    kind, (x, y) = _operands(a, b)
    return _array(f.tensordot(as_kind(x, kind), as_kind(y, kind), axes))


def outer(a, b, out=None):
    kind, (x, y) = _operands(a, b)
    return _array(made(kind, [x.numel(), y.numel()]))


def take(a, indices, axis=None, **options):
    tensor, chosen = _tensor_of(a), _tensor_of(indices)
    if axis is None:
        return _array(made(kind_of(tensor), list(chosen.shape)))
    axis = axis + tensor.ndim if axis < 0 else axis
    return _array(made(kind_of(tensor), [*tensor.shape[:axis], *chosen.shape, *tensor.shape[axis + 1 :]]))


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, **options):
    tensor = _tensor_of(ar)
    count = _tensorvet.symbol("unique", 0, 2147483646, "the number of different elements")
    parts = [_array(made(kind_of(tensor), [count]))] + [_array(made("i64", [count])) for flag in (return_index, return_counts) if flag]
    return tuple(parts) if len(parts) > 1 else parts[0]


def pad(array, pad_width, mode="constant", **options):
    tensor = _tensor_of(array)
    widths = pad_width if isinstance(pad_width, (list, tuple)) else [[pad_width, pad_width]]
    widths = [widths] if not isinstance(widths[0], (list, tuple)) else list(widths)
    widths = widths * tensor.ndim if len(widths) == 1 else widths
    require("there are two widths per axis", len(widths) == tensor.ndim, "value", tensor)
    return _array(made(kind_of(tensor), [size + width[0] + width[-1] for size, width in zip(tensor.shape, widths)]))


def broadcast_to(array, shape):
    return _array(f.broadcast_to(_tensor_of(array), tuple(_sizes(shape))))


def diag(v, k=0):
    return _array(f.diag(_tensor_of(v), k))


def trace(a, *arguments, **options):
    return _array(made(kind_of(_tensor_of(a)), []))


def shape(a):
    return tuple(_tensor_of(a).shape)


def ndim(a):
    return _tensor_of(a).ndim


def size(a, axis=None):
    tensor = _tensor_of(a)
    return tensor.numel() if axis is None else tensor.shape[axis]


def isscalar(element):
    return isinstance(element, (builtins.int, builtins.float, complex, str))


def allclose(*arguments, **options):
    return _tensorvet.unknown("the values of arrays", "bool")


array_equal = array_equiv = allclose


def isclose(a, b, **options):
    return equal(a, b)


def isin(element, test_elements, **options):
    return _array(like(_tensor_of(element), "bool"))


in1d = isin


def searchsorted(a, v, *arguments, **options):
    return _array(like(_tensor_of(v), "i64"))


digitize = lambda x, bins, right=False: _array(like(_tensor_of(x), "i64"))


def histogram(a, bins=10, **options):
    count = bins if isinstance(bins, builtins.int) else _tensor_of(bins).numel() - 1
    return _array(made("i64", [count])), _array(made("f64", [count + 1]))


def vectorize(pyfunc, *arguments, **options):
    return lambda x, *others: _array(like(_tensor_of(x), None))


def copy(a, **options):
    return _array(_tensor_of(a))


def atleast_1d(a):
    return _array(f.atleast_1d(_tensor_of(a)))


def atleast_2d(a):
    return _array(f.atleast_2d(_tensor_of(a)))


for _name in "ravel flatten squeeze swapaxes clip cumsum cumprod dot repeat take nonzero trace searchsorted conj".split():
    METHODS[_name] = globals()[_name]
