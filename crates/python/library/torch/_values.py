"""What functions compute that have no operator of their own: compositions, run only where somebody follows values."""

import _tensorvet
from _tensorvet import operate
from torch._types import LETTER


def _number(tensor, value):
    return _tensorvet.number(_tensorvet.kind(tensor), value)


def _log_one_more(x, name):
    return operate("log", operate("add", x, _number(x, 1.0), _as=name), _as=name)


def _scaled_log(base):
    return lambda x, name: operate("mul", operate("log", x, _as=name), _number(x, base), _as=name)


def _log_add_exp(x, y, name):
    apart = operate("abs", operate("sub", x, y, _as=name), _as=name)
    beyond = _log_one_more(operate("exp", operate("neg", apart, _as=name), _as=name), name)
    return operate("add", operate("max", [x, y], _as=name), beyond, _as=name)


def _log_sigmoid(x, name):
    return operate("neg", operate("softplus", operate("neg", x, _as=name), _as=name), _as=name)


def _quotient_of_logit(x, name):
    rest = operate("sub", _number(x, 1.0), x, _as=name)
    return operate("log", operate("div", x, rest, _as=name), _as=name)


def _hypotenuse(x, y, name):
    squares = [operate("mul", each, each, _as=name) for each in (x, y)]
    return operate("sqrt", operate("add", squares[0], squares[1], _as=name), _as=name)


_FLOATS = {
    "softsign": lambda x, name: operate("softsign", x, _as=name),
    "tanhshrink": lambda x, name: operate("sub", x, operate("tanh", x, _as=name), _as=name),
    "logit": _quotient_of_logit,
    "hypot": _hypotenuse,
    "atan2": lambda x, y, name: operate("atan2", x, y, _as=name),
    "xlogy": lambda x, y, name: operate("xlogy", x, y, _as=name),
    "square": lambda x, name: operate("mul", x, x, _as=name),
    "rsqrt": lambda x, name: operate("reciprocal", operate("sqrt", x, _as=name), _as=name),
    "log1p": _log_one_more,
    "expm1": lambda x, name: operate("sub", operate("exp", x, _as=name), _number(x, 1.0), _as=name),
    "exp2": lambda x, name: operate("exp", operate("mul", x, _number(x, 0.6931471805599453), _as=name), _as=name),
    "log2": _scaled_log(1.4426950408889634),
    "log10": _scaled_log(0.4342944819032518),
    "sign": lambda x, name: operate("sign", x, _as=name),
    "maximum": lambda x, y, name: operate("max", [x, y], _as=name),
    "minimum": lambda x, y, name: operate("min", [x, y], _as=name),
    "fmax": lambda x, y, name: operate("max", [x, y], _as=name),
    "fmin": lambda x, y, name: operate("min", [x, y], _as=name),
    "logaddexp": _log_add_exp,
    "logsigmoid": _log_sigmoid,
    "ne": lambda x, y, name: operate("not", operate("equal", x, y, _as=name), _as=name),
    "mse_loss": lambda x, y, name: _FLOATS["square"](operate("sub", x, y, _as=name), name),
    "l1_loss": lambda x, y, name: operate("abs", operate("sub", x, y, _as=name), _as=name),
}
_BOOLS = {
    "bitwise_and": lambda x, y, name: operate("and", x, y, _as=name),
    "bitwise_or": lambda x, y, name: operate("or", x, y, _as=name),
    "logical_and": lambda x, y, name: operate("and", x, y, _as=name),
    "logical_or": lambda x, y, name: operate("or", x, y, _as=name),
}


def computed(name, kind, operands, result):
    """The result with its elements, if they are asked for and known how to come by."""
    if not _tensorvet.follows_values():
        return result
    kinds = LETTER.get(kind, "")
    given = _FLOATS.get(name) if kinds in ("h", "f") else _BOOLS.get(name) if kinds == "b" else None
    if given is None:
        return result
    return given(*[operand if _tensorvet.is_tensor(operand) else _tensorvet.number(kind, operand) for operand in operands], name)


def bounded(name, kind, input, least, most, result):
    """`input`, but no less than one bound and no more than another."""
    if not _tensorvet.follows_values() or LETTER.get(kind) not in ("h", "f"):
        return result
    for bound, meet in ((least, "max"), (most, "min")):
        if bound is not None:
            input = operate(meet, [input, bound if _tensorvet.is_tensor(bound) else _tensorvet.number(kind, bound)], _as=name)
    return input


def drawn(kind, sizes, result):
    """Draws between 0 and 1, which do not reach 1."""
    if not _tensorvet.follows_values() or LETTER.get(kind) not in ("h", "f"):
        return result
    return operate("random_uniform", shape=list(sizes), dtype=kind, _as="rand")


def replaced(name, input, mask, value, result):
    """`input`, but `value` where the mask is true."""
    if not _tensorvet.follows_values() or LETTER.get(_tensorvet.kind(input)) not in ("h", "f"):
        return result
    return operate("where", mask, value if _tensorvet.is_tensor(value) else _tensorvet.number(_tensorvet.kind(input), value), input, _as=name)


def folded(operator, name, input, places, keepdim, result):
    """What an operator that reduces axes gives."""
    if not _tensorvet.follows_values() or LETTER.get(_tensorvet.kind(input)) not in ("h", "f") or len(places) == 0:
        return result
    return operate(operator, input, axes=list(places), keepdims=keepdim, _as=name)


def padded(input, pads, value, result):
    """`input` with a number around it; pads are told from the last axis on."""
    if not _tensorvet.follows_values() or LETTER.get(_tensorvet.kind(input)) not in ("h", "f") or not _tensorvet.all_ints(pads):
        return result
    rank, axes = input.ndim, len(pads) // 2
    before, after = [0] * rank, [0] * rank
    for place in range(axes):
        before[rank - 1 - place], after[rank - 1 - place] = pads[2 * place], pads[2 * place + 1]
    return operate("pad", input, _number(input, 0.0 if value is None else value), pads=before + after, _as="pad")


def spread(name, input, places, keepdim, correction, result):
    """Variance, or its root."""
    if not _tensorvet.follows_values() or LETTER.get(_tensorvet.kind(input)) not in ("h", "f") or len(places) == 0:
        return result
    count = 1
    for place in places:
        count = count * input.shape[place]
    is_enough = _tensorvet.decided(count > correction) if isinstance(count, int) else None
    if is_enough is None:
        return result
    middle = operate("reduce_mean", input, axes=list(places), keepdims=True, _as=name)
    distance = operate("sub", input, middle, _as=name)
    squares = operate("mul", distance, distance, _as=name)
    total = operate("reduce_mean", squares, axes=list(places), keepdims=keepdim, _as=name)
    if is_enough:
        variance = operate("mul", total, _number(total, count / (count - correction)), _as=name)
    else:
        # Nothing is left to divide by.
        variance = operate("div", total, _number(total, 0.0), _as=name)
    return operate("sqrt", variance, _as=name) if name.startswith("std") else variance
