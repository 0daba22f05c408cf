"""What many functions ask of their arguments, and the results that many of them give."""

import builtins

import _tensorvet
from _tensorvet import count, operate, require
from torch._types import LETTER, of_number, two_promoted, with_lower, with_number

_WORDS = {"b": "bool", "i": "integers", "u": "unsigned integers", "h": "half precision", "f": "float32 or float64", "c": "complex numbers"}
# What operators of the semantics compute with; other types have a shape and no formula.
_REAL = "ihf"


VERSION = _tensorvet.version("torch", "2.15.0")
_NUMBERS = tuple(int(number) for number in VERSION.split("+")[0].split(".")[:2])


def since(*version):
    """Whether the version that is meant is this one or a later one."""
    return _NUMBERS >= version


# The element type by its short name.
kind_of = _tensorvet.kind
# One number per axis, given each or one for all.
per_axis = _tensorvet.per_axis


def letter(tensor):
    return LETTER.get(_tensorvet.kind(tensor), "f")


def accept(name, letters, *tensors, also=(), raises=NotImplementedError):
    """States that a function takes elements of these kinds; most have no kernel for others."""
    for tensor in tensors:
        kind = _tensorvet.kind(tensor)
        if kind is not None and LETTER[kind] not in letters and kind not in also:
            require("`" + name + "` takes " + in_words(letters, also), False, "type", tensor, raises=raises)


def in_words(letters, also=()):
    """Kinds of numbers in words."""
    return ", ".join([_WORDS[each] for each in letters] + list(also))


def channels_before(axes, input):
    """States that the channels of an input, if the user says where they are, come right before its last axes."""
    channels = _tensorvet.channels(input)
    require("the channels of `input` come before its height and width", channels is None or channels == _tensorvet.rank(input) - axes - 1, "layout", input)


def axis(dim, rank, *tensors):
    """An axis counted from the front; a tensor without axes is taken to have one."""
    bound = max(rank, 1)
    require("`dim` is one of the axes", -bound <= dim and dim < bound, "value", *tensors, raises=IndexError)
    return dim + bound if dim < 0 else dim


def axes(dims, rank):
    """Several axes, counted from the front, each once."""
    found = [axis(dim, rank) for dim in (dims if isinstance(dims, (tuple, list)) else [dims])]
    require("every axis is named once", len(set(found)) == len(found), "value", dims=found)
    return found


def like(input, kind=None):
    """A tensor of the same shape, of which no element is known."""
    return _tensorvet.retyped(input, _tensorvet.kind(input) if kind is None else kind)


def as_kind(input, kind):
    if kind is None or _tensorvet.kind(input) == kind:
        return input
    return operate("cast", input, to=kind) if LETTER[kind] != "c" and letter(input) != "c" else like(input, kind)


def tensor_of(value, kind):
    """A number as a tensor without axes."""
    if _tensorvet.is_tensor(value):
        return value
    return _tensorvet.given(kind, []) if isinstance(value, complex) else _tensorvet.number(kind, value)


def common_kind(*operands):
    """The type of an operation between tensors and numbers: those with axes decide, then those without, then numbers."""
    one = _tensorvet.one_kind(operands)
    if one is not None:
        return one
    dimensioned, scalar, number = None, None, None
    for operand in operands:
        if not _tensorvet.is_tensor(operand):
            number = operand if number is None or isinstance(operand, (float, complex)) else number
        elif _tensorvet.rank(operand) == 0:
            scalar = two_promoted(scalar, _tensorvet.kind(operand))
        else:
            dimensioned = two_promoted(dimensioned, _tensorvet.kind(operand))
    if dimensioned is None or scalar is None:
        result = scalar if dimensioned is None else dimensioned
    else:
        result = with_lower(dimensioned, scalar)
    return result if number is None else with_number(result, number)


_LARGEST = {"f16": 65504.0, "bf16": 3.3895313892515355e38, "f32": 3.4028234663852886e38}


def _wider(kind, operands):
    """The type that PyTorch computes in where a Python number is beyond the type of the result; None if it is not."""
    if kind not in _LARGEST or not _tensorvet.follows_values():
        return None
    beyond = [number for number in operands if isinstance(number, (int, float)) and not _tensorvet.is_unknown(number) and _tensorvet.decided(_LARGEST[kind] < builtins.abs(number) < float("inf")) is True]
    if not beyond:
        return None
    return "f32" if kind == "f16" and all(builtins.abs(number) < _LARGEST["f32"] for number in beyond) else "f64"


def elementwise(name, operator, kind, operands, result=None):
    """An operation element by element, computed in `kind`; broadcast, with the type `result`."""
    if operator is None or kind is None or LETTER[kind] not in _REAL:
        tensors = [tensor_of(operand, kind) for operand in operands]
        return _tensorvet.broadcast(kind if result is None else result, tensors, name)
    wide = _wider(kind, operands)
    if wide is not None:
        given = operate(operator, *[as_kind(tensor_of(operand, wide), wide) for operand in operands], _as=name)
        return given if _tensorvet.kind(given) == "bool" else operate("cast", given, to=kind, _as=name)
    tensors = _tensorvet.operands_of(operands, kind)
    if tensors is None:
        tensors = [as_kind(tensor_of(operand, kind), kind) for operand in operands]
    return operate(operator, *tensors, _as=name)


def computed(operator, result, *tensors, **parameters):
    """What an operator gives where its definition covers the types; else a tensor of which only shape and type are known."""
    if operator is None or LETTER.get(_tensorvet.kind(tensors[0])) not in ("h", "f") or 0 in result.shape:
        return result
    return operate(operator, *tensors, **parameters)


def one_kind(name, *tensors, raises=RuntimeError):
    """States that tensors have one element type."""
    if _tensorvet.one_kind(tensors) is not None:
        return
    first = _tensorvet.kind(tensors[0])
    for tensor in tensors[1:]:
        kind = _tensorvet.kind(tensor)
        require("`" + name + "` takes tensors of one element type", kind is None or first is None or kind == first, "type", *tensors, raises=raises)


def scales(name, kind, *numbers):
    """States that factors go with what they scale: no fraction of integers, no bool among numbers."""
    for number in numbers:
        if _tensorvet.is_real(number) and LETTER.get(kind) in ("h", "f", "c"):
            continue
        fits = kind is None or (kind == "bool" if isinstance(number, bool) else isinstance(number, int) or _tensorvet.can_cast(of_number(number), kind))
        require("the factors of `" + name + "` fit the type " + str(kind), fits, "type")


def real_factors(name, kind, *numbers):
    """States that no factor is complex where the numbers are not."""
    for number in numbers:
        if _tensorvet.is_real(number):
            continue
        require("the factors of `" + name + "` are real as its numbers are", not isinstance(number, complex) or kind in (None, "c64", "c128"), "type")


def laid_out(input, memory_format):
    """States that a tensor has the axes of the memory format it is asked for."""
    if memory_format is not None:
        rank = {"channels_last": 4, "channels_last_3d": 5}.get(memory_format._name)
        require("a tensor with channels last has " + str(rank) + " axes", rank is None or input.ndim == rank, "layout", input)


def known(tensor):
    """The elements of a small tensor, row by row, if they are known."""
    return _tensorvet.entries(tensor)


def distinct(values):
    """Each of many values once."""
    return set(values) if len(values) > 8 else values


def elements(tensor, low, high, label):
    """What stands for every integer of a tensor that may lie outside two bounds: all of them if they are known, else one
    that may be any of them."""
    values = known(tensor)
    if values is not None:
        return distinct(values)
    value = _tensorvet.every_element(tensor, low, high, label)
    return [value] if value is not None and _tensorvet.decided(count(tensor.shape) > 0) is True else []


def within(name, indices, size, raises=IndexError):
    """States that indices lie within an axis."""
    label = ("every index" if name is None else "every index of `" + name + "`") + " is within the axis"
    for value in elements(indices, -size, size - 1, label):
        require(label, -size <= value and value < size, "value", indices, raises=raises)


def reduction_of(value, reduction, kind=None):
    """A loss of each element, as asked for: all, their mean or their sum."""
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(str(reduction) + " is not a valid value for reduction")
    if reduction == "none":
        return value
    if kind is None and _tensorvet.follows_values() and _tensorvet.rank(value) and LETTER.get(_tensorvet.kind(value)) in ("h", "f"):
        return operate("reduce_" + reduction, value, axes=list(range(_tensorvet.rank(value))), keepdims=False, _as=reduction)
    return _tensorvet.derived(_tensorvet.given(_tensorvet.kind(value) if kind is None else kind, []), value)
