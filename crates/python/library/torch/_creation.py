"""Tensors made from sizes, numbers or other tensors."""

import builtins

import _tensorvet
from _tensorvet import count, leaf, made, operate, require
from torch import _elements, _types, _values
from torch._rules import kind_of, laid_out, like

# Up to this many elements a filled tensor keeps its numbers.
_MOST_NUMBERS = 256


def sizes_of(sizes):
    """Sizes given one by one or as one list."""
    if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)):
        sizes = sizes[0]
    if _tensorvet.all_ints(sizes):
        return list(sizes)
    return [_whole(size, place == 0) for place, size in enumerate(sizes)]


def _whole(size, is_first):
    """A size: an integer, or an integer tensor or array without axes; a flag is one unless all sizes start with it."""
    if isinstance(size, builtins.bool) and not is_first:
        return builtins.int(size)
    if type(size) is builtins.int:
        return size
    if _tensorvet.is_tensor(size) and size.ndim == 0 and _types.LETTER.get(kind_of(size)) == "i":
        return size.item()
    if isinstance(size, builtins.int) and not isinstance(size, builtins.bool) or (_tensorvet.is_unknown(size) and not isinstance(size, (complex, builtins.float, str))):
        return size
    if hasattr(size, "_tensor") and _types.LETTER.get(kind_of(size._tensor)) == "i":
        return size.__index__()
    raise TypeError("a size must be int, not " + type(size).__name__)


def listed(name, word, given, options):
    """Numbers of a method that are given one by one, as one list, or by name."""
    for key in options:
        if key != word:
            raise TypeError(name + "() got an unexpected keyword argument '" + key + "'")
    if word in options:
        if given:
            raise TypeError(name + "() got multiple values for argument '" + word + "'")
        given = (options[word],)
        if not isinstance(options[word], (tuple, list)):
            raise TypeError(name + "(): argument '" + word + "' must be tuple of ints")
    if not given:
        raise TypeError(name + "() missing 1 required positional argument: '" + word + "'")
    return sizes_of(given)


def kind_named(dtype, default="float"):
    """The short name of a `dtype` argument: one of PyTorch's, or a Python type."""
    if dtype is None:
        return _types.DEFAULT.get(default, default)
    if isinstance(dtype, _types.dtype):
        return dtype._kind
    return {builtins.bool: "bool", builtins.int: "i64", builtins.float: "f64", complex: "c128"}.get(dtype)


def _differentiable(kind, requires_grad):
    fits = not requires_grad or kind is None or _types.kind_class(kind) >= 2
    require("only floating-point and complex tensors can require gradients", fits, "type")


def filled(kind, sizes, number):
    """A tensor of one repeated number."""
    _tensorvet.at_least("no size is negative", sizes, 0)
    if kind is None or _types.kind_class(kind) == 3 or isinstance(number, complex):
        return made(kind, sizes)
    return operate("constant_of_shape", _tensorvet.constant(kind, [1], [number]), shape=list(sizes), _as="full")


def _from_sizes(name, number, letters="biuhfc"):
    def function(*size, out: Out | None = None, dtype: dtype | None = None, layout: layout | None = None, device: device | None = None, pin_memory: bool = False, requires_grad: bool = False, generator: Generator | None = None, memory_format: memory_format | None = None, names=None):
        sizes = sizes_of(size)
        kind = kind_named(dtype)
        if kind is not None and _types.LETTER[kind] not in letters:
            require("`" + name + "` makes no tensor of " + kind, False, "type", raises=NotImplementedError)
        _differentiable(kind, requires_grad)
        given = made(kind, sizes) if number is None else filled(kind, sizes, number)
        return leaf(_values.drawn(kind, sizes, given, name) if name in ("rand", "randn") else given, requires_grad)

    def by_name(*size, **options):
        if "size" in options and not size:
            size = (options.pop("size"),)
        if not size:
            raise TypeError(name + "() needs sizes")
        return function(*size, **options)

    return _tensorvet.named(name, by_name)


zeros, ones, empty = _from_sizes("zeros", 0), _from_sizes("ones", 1), _from_sizes("empty", None)
rand, randn = _from_sizes("rand", None, "hfc"), _from_sizes("randn", None, "hfc")


def _like_another(name, letters="biuhfc"):
    def function(input: Tensor, *, dtype: dtype | None = None, layout: layout | None = None, device: device | None = None, pin_memory: bool = False, requires_grad: bool = False, memory_format: memory_format | None = None):
        kind = kind_named(dtype, kind_of(input))
        if kind is not None and _types.LETTER[kind] not in letters and count(input.shape) > 0:
            require("`" + name + "` makes no tensor of " + kind, False, "type", input, raises=NotImplementedError)
        _differentiable(kind, requires_grad)
        laid_out(input, memory_format)
        if name in ("zeros_like", "ones_like"):
            return leaf(filled(kind, input.shape, 0 if name == "zeros_like" else 1), requires_grad)
        given = like(input, kind)
        return leaf(_values.drawn(kind, input.shape, given, name) if name in ("rand_like", "randn_like") else given, requires_grad)

    return _tensorvet.named(name, function)


zeros_like, ones_like, empty_like = [_like_another(name) for name in ("zeros_like", "ones_like", "empty_like")]
rand_like, randn_like = _like_another("rand_like", "hfc"), _like_another("randn_like", "hfc")


def full(size: ints, fill_value: Number, *, out: Out | None = None, dtype: dtype | None = None, layout: layout | None = None, device: device | None = None, pin_memory: bool = False, requires_grad: bool = False):
    kind = kind_named(dtype, _types.of_number(fill_value))
    _differentiable(kind, requires_grad)
    _fits(kind, fill_value)
    return leaf(filled(kind, size, fill_value), requires_grad)


def _fits(kind, number):
    """A complex number goes into complex tensors only."""
    require("a complex number goes into a complex tensor", not isinstance(number, complex) or kind in (None, "c64", "c128"), "type", raises=TypeError)


def full_like(input: Tensor, fill_value: Number, *, dtype: dtype | None = None, layout: layout | None = None, device: device | None = None, pin_memory: bool = False, requires_grad: bool = False, memory_format: memory_format | None = None):
    kind = kind_named(dtype, kind_of(input))
    _differentiable(kind, requires_grad)
    _fits(kind, fill_value)
    return leaf(filled(kind, input.shape, fill_value), requires_grad)


def scalar_tensor(s: Number, *, dtype: dtype | None = None, layout: layout | None = None, device: device | None = None, pin_memory: bool = False, requires_grad: bool = False):
    kind = kind_named(dtype)
    _fits(kind, s)
    _differentiable(kind, requires_grad)
    return leaf(made(kind, []), requires_grad)


def empty_strided(size: ints, stride: ints, *, dtype: dtype | None = None, layout: layout | None = None, device: device | None = None, requires_grad: bool = False, pin_memory: bool = False):
    require("there is one stride per axis", len(size) == len(stride), "value")
    _tensorvet.at_least("no stride is negative", stride, 0)
    result = leaf(made(kind_named(dtype), size), requires_grad)
    result._strides = tuple(stride)
    return result


def empty_permuted(size: ints, physical_layout: ints, *, dtype: dtype | None = None, layout: layout | None = None, device: device | None = None, requires_grad: bool = False, pin_memory: bool = False):
    rank = len(size)
    require("the layout names every axis once", sorted(list(physical_layout)) == list(range(rank)), "value")
    result = leaf(made(kind_named(dtype), size), requires_grad)
    steps, step = [0] * rank, 1
    for place in reversed(list(physical_layout)):
        steps[place] = step
        step = step * size[place]
    result._strides = tuple(steps)
    return result


def _end_points(numbers):
    return [each.item() if _tensorvet.is_tensor(each) else each for each in numbers]


def arange(start: Number, end: Number = None, step: Number = 1, *, out: Out | None = None, dtype: dtype | None = None, layout: layout | None = None, device: device | None = None, pin_memory: bool = False, requires_grad: bool = False):
    if end is None:
        start, end = 0, start
    numbers = (start, end, step)
    kind = kind_named(dtype, "i64" if builtins.all([isinstance(each, builtins.int) for each in numbers]) else "float")
    require("arange makes no bool and no complex tensor", kind not in ("bool", "c64", "c128") and not builtins.any([isinstance(each, complex) for each in numbers]), "type")
    require("the step of arange is not zero", step != 0, "value")
    require("the type asked for is that of `out`", out is None or dtype is None or kind_of(out) == kind, "type")
    require("arange steps towards the end", (step > 0 and end >= start) or (step < 0 and end <= start), "value")
    _differentiable(kind, requires_grad)
    if isinstance(start, builtins.int) and isinstance(end, builtins.int) and isinstance(step, builtins.int):
        length = (end - start + step - 1) // step if step > 0 else (start - end - step - 1) // -step
        if not _tensorvet.is_number(length) or length > _MOST_NUMBERS:
            numbers = made(kind, [length])
            if step > 0 and kind in ("i64", "i32", "i16", "i8", "u8"):
                numbers = _tensorvet.between(numbers, start, start + step * (length - 1))
            elif step < 0 and kind in ("i64", "i32", "i16", "i8"):
                numbers = _tensorvet.between(numbers, start + step * (length - 1), start)
            return leaf(numbers, requires_grad)
        return leaf(_tensorvet.constant(kind, [length], [start + step * place for place in range(length)]), requires_grad)
    length = _ceiling((end - start) / step)
    if _tensorvet.follows_values() and _tensorvet.all_ints([length]) and not builtins.any([_tensorvet.is_unknown(each) for each in (start, step)]) and 0 < length <= _MOST_SPACED:
        return leaf(_tensorvet.constant(kind, [length], [start + step * place for place in range(length)]), requires_grad)
    return leaf(made(kind, [length]), requires_grad)


def _ceiling(number):
    whole = builtins.int(number)
    return whole + 1 if whole < number else whole


# Numbers that are written out.
_MOST_SPACED = 4096


def _spaced(name, start, end, steps, dtype, requires_grad, out):
    for each in (start, end):
        if _tensorvet.is_tensor(each):
            require("the ends of `" + name + "` have no axes", each.ndim == 0, "shape", each)
    require("the number of steps is not negative", steps >= 0, "value")
    is_complex = builtins.any([isinstance(each, complex) or (_tensorvet.is_tensor(each) and kind_of(each) in ("c64", "c128")) for each in (start, end)])
    kind = kind_named(dtype, "complex" if is_complex else "float")
    require("a complex end gives a complex result", not is_complex or kind in ("c64", "c128"), "type")
    require("`" + name + "` makes no tensor of bool", kind != "bool", "type")
    require("the type asked for is that of `out`", out is None or dtype is None or kind_of(out) == kind, "type")
    _differentiable(kind, requires_grad)
    if name == "linspace" and _tensorvet.follows_values() and builtins.all([isinstance(each, (int, float)) and not _tensorvet.is_unknown(each) for each in (start, end)]) and _tensorvet.all_ints([steps]) and 1 < steps <= _MOST_SPACED:
        return leaf(_tensorvet.constant(kind, [steps], [start + (end - start) * place / (steps - 1) for place in range(steps)]), requires_grad)
    return leaf(made(kind, [steps]), requires_grad)


def linspace(start: Operand, end: Operand, steps: int, *, out: Out | None = None, dtype: dtype | None = None, layout: layout | None = None, device: device | None = None, pin_memory: bool = False, requires_grad: bool = False):
    return _spaced("linspace", start, end, steps, dtype, requires_grad, out)


def logspace(start: Operand, end: Operand, steps: int, base: float = 10.0, *, out: Out | None = None, dtype: dtype | None = None, layout: layout | None = None, device: device | None = None, pin_memory: bool = False, requires_grad: bool = False):
    return _spaced("logspace", start, end, steps, dtype, requires_grad, out)


def eye(n: int, m: int = None, *, out: Out | None = None, dtype: dtype | None = None, layout: layout | None = None, device: device | None = None, pin_memory: bool = False, requires_grad: bool = False):
    kind = kind_named(dtype)
    _differentiable(kind, requires_grad)
    columns = n if m is None else m
    diagonal = n if m is None else builtins.min(n, m)
    return leaf(_tensorvet.selecting(_elements.identity(made(kind, [n, columns]), kind), diagonal), requires_grad)


def tensor(data, *, dtype: dtype | None = None, device: device | None = None, requires_grad: bool = False, pin_memory: bool = False):
    data = _behind(data)
    if _tensorvet.is_tensor(data):
        kind = kind_named(dtype, kind_of(data))
        _differentiable(kind, requires_grad)
        return leaf(_tensorvet.copied(data).to(_types.by_kind(kind)), requires_grad)
    if _tensorvet.is_open(data):
        return leaf(_tensorvet.unknown_tensor(kind_named(dtype, None)), requires_grad)
    if data is None or isinstance(data, str):
        raise TypeError("a tensor cannot be made of " + type(data).__name__)
    sizes, numbers = _nested(data)
    if numbers is None:
        return leaf(_tensorvet.unknown_tensor(kind_named(dtype, None)) if sizes is None else made(kind_named(dtype, None), sizes), requires_grad)
    kind = kind_named(dtype, _types.promoted(*[_types.of_number(number) for number in numbers]) or "float")
    _differentiable(kind, requires_grad)
    for number in numbers:
        _fits(kind, number)
    if builtins.any([_tensorvet.is_unknown(number) or isinstance(number, complex) for number in numbers]):
        return leaf(made(kind, sizes), requires_grad)
    return leaf(_tensorvet.constant(kind, sizes, numbers), requires_grad)


def _behind(data):
    """The tensor behind a NumPy array; other things as they are."""
    return data._tensor if not _tensorvet.is_unknown(data) and hasattr(data, "_tensor") else data


def _nested(data, stacks=False):
    """The sizes and numbers of nested lists; whoever stacks takes tensors with axes in them."""
    inner, data = data, _behind(data)
    if _tensorvet.is_open(data) or (_tensorvet.is_unknown(data) and not isinstance(data, (builtins.int, builtins.float, complex))):
        return None, None
    if inner is not data or stacks and _tensorvet.is_tensor(data):
        # An array of NumPy stands for its numbers.
        return list(data.shape), None
    if _tensorvet.is_tensor(data):
        require("a tensor in a list is one number: use torch.stack", count(data.shape) == 1, "shape", data)
        return [], [data.item()] if kind_of(data) in ("i64", "bool", _types.DEFAULT["float"]) else None
    if not isinstance(data, (list, tuple)):
        if not isinstance(data, (builtins.int, builtins.float, complex)):
            raise TypeError("a tensor cannot hold " + type(data).__name__)
        return [], [data]
    several = _tensorvet.several(data)
    if several is not None:
        element, number = several
        sizes, numbers = _nested(element, stacks)
        if sizes is None or numbers is None or not numbers:
            return None if sizes is None else [number] + sizes, None
        kind = "int" if isinstance(numbers[0], builtins.int) else "float" if isinstance(numbers[0], builtins.float) else None
        return [number] + sizes, [_tensorvet.unknown("one of many numbers", kind)] if kind else None
    parts = [_nested(item, stacks) for item in data]
    if not parts:
        return [0], []
    sizes = parts[0][0]
    for other, _ in parts:
        if other is None or sizes is None:
            return None, None
        if other != sizes:
            # How deep they are is told by the first of them; where another ends earlier or later is found as it is read.
            is_longer = builtins.any([size != wanted for size, wanted in zip(other, sizes)])
            raise (ValueError if is_longer else TypeError)("expected sequences of one length at every depth")
    if builtins.any([numbers is None for _, numbers in parts]):
        return [len(parts)] + sizes, None
    return [len(parts)] + sizes, [number for _, numbers in parts for number in numbers]


def as_tensor(data, dtype: dtype | None = None, device: device | None = None):
    data = _behind(data)
    if _tensorvet.is_tensor(data):
        return data if dtype is None else data.to(dtype)
    return tensor(data, dtype=dtype)


asarray = as_tensor


def of_sizes_or_numbers(kind, data):
    """`Tensor(2, 3)` has these sizes, `Tensor([2, 3])` these numbers."""
    if len(data) != 1 or isinstance(data[0], builtins.int):
        return leaf(made(kind, list(data) if data else [0]), False)
    return tensor(data[0], dtype=_types.by_kind(kind))


def from_numpy(array):
    if _tensorvet.is_unknown(array):
        return leaf(_tensorvet.unknown_tensor(None), False)
    if not hasattr(array, "_tensor"):
        raise TypeError("expected np.ndarray (got " + type(array).__name__ + ")")
    return _tensorvet.alias(array._tensor, False)


def _triangle(name, row, col, offset, dtype):
    require("no size of `" + name + "` is negative", row >= 0 and col >= 0, "value")
    kind = kind_named(dtype, "i64")
    require("`" + name + "` makes integers", kind in ("i32", "i64") or kind is None, "type", raises=NotImplementedError)
    total = 0
    for line in range(row):
        kept = builtins.min(builtins.max(line + offset + 1, 0), col)
        total += kept if name == "tril_indices" else col - builtins.min(builtins.max(line + offset, 0), col)
    return made(kind, [2, total])


def tril_indices(row: int, col: int, offset: int = 0, *, dtype: dtype | None = None, device: device | None = None, layout: layout | None = None, pin_memory: bool = False):
    return _triangle("tril_indices", row, col, offset, dtype)


def triu_indices(row: int, col: int, offset: int = 0, *, dtype: dtype | None = None, device: device | None = None, layout: layout | None = None, pin_memory: bool = False):
    return _triangle("triu_indices", row, col, offset, dtype)


def clone(input: Tensor, *, memory_format: memory_format | None = None):
    laid_out(input, memory_format)
    return like(input) if input._strides is not None else _tensorvet.copied(input)


def cast(input, kind):
    if isinstance(kind, str) or kind_of(input) == kind._kind:
        return input
    result = operate("cast", input, to=kind._kind, _as="to") if _castable(input, kind._kind) else like(input, kind._kind)
    if hasattr(input, "_batch_first"):
        result._batch_first = True
    return result


def _castable(input, kind):
    return _types.kind_class(kind) < 3 and kind_of(input) not in ("c64", "c128", None)
