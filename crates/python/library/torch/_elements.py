"""Elements of results that mix, move or draw them: what is said of them where somebody follows values."""

import _tensorvet
from _tensorvet import operate
from torch._types import LETTER


def is_followed(input):
    return _tensorvet.follows_values() and LETTER.get(_tensorvet.kind(input)) in ("h", "f")


def _number(input, value):
    return _tensorvet.number(_tensorvet.kind(input), value)


def identity(result, kind):
    """Ones on the diagonal of a matrix, zeros elsewhere."""
    if not _tensorvet.follows_values() or LETTER.get(kind) not in ("b", "i", "h", "f"):
        return result
    return operate("eye_like", result, dtype=kind, _as="eye")


def with_diagonal(name, input, value):
    """A matrix with one number on its diagonal."""
    if not is_followed(input) or isinstance(value, complex):
        return None
    on_it = operate("eye_like", input, dtype="bool", _as=name)
    return operate("where", on_it, _number(input, value), input, _as=name)


def on_diagonal(name, input, result):
    """A vector on the diagonal of a matrix, zeros elsewhere."""
    if not is_followed(input):
        return result
    row = operate("reshape", input, shape=[1, input.shape[0]], _as=name)
    return operate("mul", operate("eye_like", result, dtype=_tensorvet.kind(input), _as=name), row, _as=name)


def some_of(result, *sources):
    """Every element is one of others."""
    if not are_followed(sources):
        return result
    return _tensorvet.like_those_of(result, *sources)


def are_followed(tensors):
    for each in tensors:
        if not is_followed(each):
            return False
    return True


def between_some(result, input, name, with_zero=False):
    """Every element is a mean of others, or of others and zero, but for what rounding changes."""
    if not is_followed(input):
        return result
    off = 16.0 * {"f16": 2.0**-11, "bf16": 2.0**-8, "f32": 2.0**-24, "f64": 2.0**-53}[_tensorvet.kind(input)]
    ends = [operate("mul", input, _number(input, 1.0 + sign * off), _as=name) for sign in (-1.0, 1.0)]
    if with_zero:
        ends.append(operate("mul", input, _number(input, 0.0), _as=name))
    return _tensorvet.like_those_of(result, *ends)


# Draws from a normal distribution lie within so many deviations.
DEVIATIONS = 8.0


def set_between(input, low, high, result):
    """Other elements between two numbers, in place: a weight that is given a start, or noise."""
    if not is_followed(input) or _tensorvet.is_unknown(low) or _tensorvet.is_unknown(high):
        return result
    return _tensorvet.starting(result, low, high)


def filled(input, value, result):
    """The same number everywhere, in place."""
    if not is_followed(input) or _tensorvet.is_unknown(value) or not isinstance(value, (int, float)):
        return result
    if value in (float("inf"), float("-inf")):
        # Infinity is no range: it is written as the constant that it is.
        return operate("expand", _number(input, value), shape=list(input.shape), _as="fill_")
    return _tensorvet.starting(result, value, value)


def drawn_around(name, input, mean, deviation):
    """Draws from a normal distribution."""
    given = _draw("random_normal", name, input)
    for operator, operand in (("mul", deviation), ("add", mean)):
        operand = operand if _tensorvet.is_tensor(operand) else _number(input, operand)
        given = operate(operator, given, operand, _as=name)
    return given


def ones_by_chance(name, input, chance):
    """One with a probability, else zero."""
    chance = chance if _tensorvet.is_tensor(chance) else _number(input, chance)
    is_one = operate("less", _draw("random_uniform", name, input), chance, _as=name)
    return operate("where", is_one, _number(input, 1.0), _number(input, 0.0), _as=name)


def _draw(operator, name, input):
    return operate(operator, shape=list(input.shape), dtype=_tensorvet.kind(input), _as=name)


def distances(name, x, y, result):
    """Lengths of the differences of all pairs of two lists of vectors."""
    if not are_followed((x, y)) or x.ndim != y.ndim:
        return result
    batch, size = list(x.shape[:-2]), x.shape[-1]
    x = operate("reshape", x, shape=[*batch, x.shape[-2], 1, size], _as=name)
    y = operate("reshape", y, shape=[*y.shape[:-2], 1, y.shape[-2], size], _as=name)
    apart = operate("sub", x, y, _as=name)
    squares = operate("mul", apart, apart, _as=name)
    return operate("sqrt", operate("reduce_sum", squares, axes=[len(batch) + 2], keepdims=False, _as=name), _as=name)


def laid_along(tensors, sizes, swaps, result):
    """Vectors, each along an axis of its own of a grid; the first two axes may be swapped."""
    given = []
    for place, (tensor, one) in enumerate(zip(tensors, result)):
        # Whole numbers may be indices, whoever follows other values.
        if LETTER.get(_tensorvet.kind(tensor)) != "i" and not is_followed(tensor):
            given.append(one)
            continue
        axis = 1 - place if swaps and place < 2 else place
        shape = [1] * len(sizes)
        shape[axis] = sizes[axis]
        column = operate("reshape", tensor, shape=shape, _as="meshgrid")
        given.append(operate("expand", column, shape=list(sizes), _as="meshgrid"))
    return given


def steps(name, input, place, result):
    """Differences of neighbours along an axis."""
    length = input.shape[place]
    if not is_followed(input):
        return result
    later, earlier = [input.narrow(place, start, length - 1) for start in (1, 0)]
    return operate("sub", later, earlier, _as=name)
