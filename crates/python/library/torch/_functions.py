"""The functions of `torch` that give tensors."""

import builtins

import _tensorvet
from torch import _types
from _tensorvet import operate


def as_sizes(sizes):
    """Sizes given one by one or as one list."""
    if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)):
        sizes = sizes[0]
    return list(sizes)


def _kind(kind, default="f32"):
    return default if kind is None else kind._kind


def _made(sizes, kind):
    return _tensorvet.given(kind, as_sizes(sizes))


def randn(*size, dtype=None, device=None, requires_grad=False, generator=None):
    return _made(size, _kind(dtype))


rand = zeros = ones = empty = randn


def full(size, fill_value, dtype=None, device=None):
    default = "f32" if isinstance(fill_value, float) else "i64"
    return _made((size,), _kind(dtype, default))


def randint(low, high=None, size=None, dtype=None, device=None):
    if isinstance(high, (tuple, list)):
        size = high
    return _made((size,), _kind(dtype, "i64"))


def randperm(n, dtype=None, device=None):
    return _made((n,), _kind(dtype, "i64"))


def arange(start, end=None, step=1, dtype=None, device=None):
    if end is None:
        start, end = 0, start
    whole = isinstance(start, int) and isinstance(end, int) and isinstance(step, int)
    count = (end - start + step - 1) // step if whole else _tensorvet.symbol("count", 0, 1 << 31, "the length of arange")
    return _made((count,), _kind(dtype, "i64" if whole else "f32"))


def linspace(start, end, steps, dtype=None, device=None):
    return _made((steps,), _kind(dtype))


def eye(n, m=None, dtype=None, device=None):
    return _made((n, n if m is None else m), _kind(dtype))


def zeros_like(input, dtype=None, device=None):
    return _tensorvet.retyped(input, _tensorvet.kind(input) if dtype is None else dtype._kind)


ones_like = empty_like = randn_like = rand_like = zeros_like


def full_like(input, fill_value, dtype=None, device=None):
    return zeros_like(input, dtype)


def tensor(data, dtype=None, device=None, requires_grad=False):
    sizes, numbers = _nested(data)
    if numbers is None:
        return _tensorvet.unknown_tensor(_kind(dtype, None))
    kinds = ["bool" if isinstance(number, bool) else "i64" if isinstance(number, int) else "f32" for number in numbers]
    return _tensorvet.constant(_kind(dtype, _types.promoted(*kinds) or "f32"), sizes, numbers)


def _nested(data):
    if not isinstance(data, (list, tuple)):
        return [], None if _tensorvet.is_unknown(data) or _tensorvet.is_tensor(data) else [data]
    parts = [_nested(item) for item in data]
    if not parts:
        return [0], []
    sizes = parts[0][0]
    for other, _ in parts:
        if other != sizes:
            raise ValueError("expected sequences of one length at every depth")
    if any(numbers is None for _, numbers in parts):
        return [len(parts)] + sizes, None
    return [len(parts)] + sizes, [number for _, numbers in parts for number in numbers]


def as_tensor(data, dtype=None, device=None):
    return data if _tensorvet.is_tensor(data) else tensor(data, dtype)


def cast(input, kind):
    if isinstance(kind, str):
        return input
    return operate("cast", input, to=kind._kind, _as="to")


def _lifted(a, b, as_float=False):
    """Two operands as tensors of their common type."""
    if not _tensorvet.is_tensor(a):
        b, a = _lifted(b, a, as_float)
        return a, b
    kind = _tensorvet.kind(a)
    if _tensorvet.is_tensor(b):
        other = _tensorvet.kind(b)
        common = _dimensioned(a, b, kind, other)
    else:
        common = _types.with_number(kind, b)
        b = _tensorvet.constant(common, [], [b])
    if as_float and common is not None and _types._CLASS[common] < 2:
        common = "f32"
    return _as_kind(a, common), _as_kind(b, common)


def _dimensioned(a, b, kind, other):
    """A tensor without axes does not lift one that has some, unless it is of a higher class."""
    if kind is None or other is None or kind == other:
        return kind if other is None else other
    first, second = _tensorvet.rank(a) == 0, _tensorvet.rank(b) == 0
    if first != second and _types._CLASS[kind] == _types._CLASS[other]:
        return other if first else kind
    return _types.two_promoted(kind, other)


def _as_kind(input, kind):
    if kind is None or _tensorvet.kind(input) == kind:
        return input
    return operate("cast", input, to=kind)


def _binary(name, operator, as_float=False):
    def function(input, other, alpha=1, out=None, rounding_mode=None):
        a, b = _lifted(input, other, as_float)
        return operate(operator, a, b, _as=name)

    return function


add = _binary("add", "add")
sub = subtract = _binary("sub", "sub")
mul = multiply = _binary("mul", "mul")
div = divide = true_divide = _binary("div", "div", True)
pow = _binary("pow", "pow")
eq = _binary("eq", "equal")
lt = _binary("lt", "less")
le = _binary("le", "less_or_equal")
gt = _binary("gt", "greater")
ge = _binary("ge", "greater_or_equal")


def ne(input, other):
    return operate("not", eq(input, other), _as="ne")


def _unary(name, operator=None, as_float=True):
    def function(input, inplace=False, out=None):
        if as_float and _types._CLASS.get(_tensorvet.kind(input), 2) < 2:
            input = operate("cast", input, to="f32")
        return operate(operator or name, input, _as=name)

    return function


relu = _unary("relu", as_float=False)
sigmoid = _unary("sigmoid")
tanh = _unary("tanh")
exp = _unary("exp")
log = _unary("log")
sqrt = _unary("sqrt")
sin = _unary("sin")
cos = _unary("cos")
abs = _unary("abs", as_float=False)
neg = _unary("neg", as_float=False)


def softmax(input, dim=None, dtype=None, _as="softmax"):
    return operate("softmax", input, axis=1 if dim is None else dim, _as=_as)


def log_softmax(input, dim=None, dtype=None):
    return operate("log_softmax", input, axis=1 if dim is None else dim, _as="log_softmax")


def matmul(input, other):
    return operate("matmul", input, other, _as="matmul")


def mm(input, mat2):
    _tensorvet.require("`mm` takes matrices", input.ndim == 2 and mat2.ndim == 2, "shape", input, mat2)
    return operate("matmul", input, mat2, _as="mm")


def bmm(input, mat2):
    _tensorvet.require("`bmm` takes batches of matrices", input.ndim == 3 and mat2.ndim == 3, "shape", input, mat2)
    _tensorvet.require("both batches are equally long", input.shape[0] == mat2.shape[0], "shape", input, mat2)
    return operate("matmul", input, mat2, _as="bmm")


def reshape(input, shape, _as="reshape"):
    return operate("reshape", input, shape=as_sizes((shape,)), allowzero=True, _as=_as)


def flatten(input, start_dim=0, end_dim=-1):
    shape = input.shape
    rank = len(shape)
    start, end = start_dim % builtins.max(rank, 1), end_dim % builtins.max(rank, 1)
    merged = 1
    for size in shape[start : end + 1]:
        merged = merged * size
    return operate("reshape", input, shape=[*shape[:start], merged, *shape[end + 1 :]], allowzero=True, _as="flatten")


def permute(input, dims):
    return operate("transpose", input, order=[dim % input.ndim for dim in as_sizes((dims,))], _as="permute")


def transpose(input, dim0, dim1):
    order = list(range(input.ndim))
    order[dim0], order[dim1] = order[dim1], order[dim0]
    return operate("transpose", input, order=order, _as="transpose")


def t(input):
    return transpose(input, 0, 1)


def unsqueeze(input, dim):
    return operate("unsqueeze", input, axes=[dim], _as="unsqueeze")


def squeeze(input, dim=None):
    shape = input.shape
    if dim is None:
        axes = [axis for axis in range(len(shape)) if shape[axis] == 1]
    else:
        axes = [dim] if shape[dim] == 1 else []
    return operate("squeeze", input, axes=axes, _as="squeeze") if axes else input


def expand(input, sizes):
    shape = input.shape
    extra = len(sizes) - len(shape)
    full = [shape[k - extra] if size == -1 else size for k, size in enumerate(sizes)]
    return operate("expand", input, shape=full, _as="expand")


def tile(input, dims):
    return operate("tile", input, repeats=as_sizes((dims,)), _as="repeat")


def cat(tensors, dim=0):
    return operate("concat", tensors, axis=dim, _as="cat")


concat = concatenate = cat


def stack(tensors, dim=0):
    return operate("concat", [unsqueeze(each, dim) for each in tensors], axis=dim, _as="stack")


def _reduction(name, operator, as_float=False):
    def function(input, dim=None, keepdim=False, dtype=None, keepdims=None, axis=None):
        dim = axis if dim is None else dim
        if as_float is None and _types._CLASS.get(_tensorvet.kind(input), 2) < 2:
            input = operate("cast", input, to="i64")
        axes = None if dim is None else list(dim) if isinstance(dim, (tuple, list)) else [dim]
        return operate(operator, input, axes=axes, keepdims=keepdim, _as=name)

    return function


sum = _reduction("sum", "reduce_sum", None)
mean = _reduction("mean", "reduce_mean")


def argmax(input, dim=None, keepdim=False):
    if dim is None:
        input, dim = reshape(input, [-1]), 0
    return operate("arg_max", input, axis=dim, keepdims=keepdim, _as="argmax")


class _Extreme(tuple):
    @property
    def values(self):
        return self[0]

    @property
    def indices(self):
        return self[1]


def max(input, dim=None, keepdim=False):
    if dim is None:
        return operate("reduce_max", input, keepdims=False, _as="max")
    if _tensorvet.is_tensor(dim):
        return operate("max", [*_lifted(input, dim)], _as="max")
    values = operate("reduce_max", input, axes=[dim], keepdims=keepdim, _as="max")
    return _Extreme((values, argmax(input, dim, keepdim)))


def index(input, index):
    """Subscripts with integers, slices, None and ... (tensors as indices: not yet)."""
    parts = index if isinstance(index, tuple) else (index,)
    used = 0
    for part in parts:
        if part is not None and part is not ...:
            used += 1
    rank = input.ndim
    _tensorvet.require("there are no more indices than axes", used <= rank, "value", input)
    if not any(part is ... for part in parts):
        parts = (*parts, ...)
    axis = 0
    result = input
    for part in parts:
        if part is None:
            result = unsqueeze(result, axis)
            axis += 1
        elif part is ...:
            axis += rank - used
        elif isinstance(part, slice):
            if part.start is not None or part.stop is not None or part.step is not None:
                start = 0 if part.start is None else part.start
                stop = result.shape[axis] if part.stop is None else part.stop
                step = 1 if part.step is None else part.step
                result = operate("slice", result, starts=[start], ends=[stop], axes=[axis], steps=[step], _as="slice")
            axis += 1
        elif isinstance(part, int):
            size = result.shape[axis]
            _tensorvet.require("the index is within the axis", -size <= part and part < size, "value", result)
            place = part if part >= 0 else part + size
            result = operate("slice", result, starts=[place], ends=[place + 1], axes=[axis], steps=[1])
            result = operate("squeeze", result, axes=[axis], _as="select")
        else:
            return _tensorvet.unknown("a tensor indexed by something else than numbers and slices")
    return result
