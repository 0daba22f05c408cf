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


def _shifted(x, name):
    """`x + 0` to `x + 6`, and `x + 7`, of which series for large numbers hold, where they are used."""
    terms = [operate("add", x, _number(x, float(step)), _as=name) if step else x for step in range(7)]
    return terms, operate("max", [operate("add", x, _number(x, 7.0), _as=name), _number(x, 0.5)], _as=name)


def _where_shifted(x, given, name):
    """Further below zero the series says nothing."""
    return operate("where", operate("less", x, _number(x, -6.5), _as=name), _number(x, float("nan")), given, _as=name)


def _log_gamma(x, name):
    """Stirling's series at `x + 7`, less the logarithms of what lies between."""
    terms, far = _shifted(x, name)
    given = operate("mul", operate("sub", far, _number(x, 0.5), _as=name), operate("log", far, _as=name), _as=name)
    given = operate("add", operate("sub", given, far, _as=name), _number(x, 0.9189385332046727), _as=name)
    given = operate("add", given, operate("div", _number(x, 1.0 / 12.0), far, _as=name), _as=name)
    for term in terms:
        given = operate("sub", given, operate("log", operate("abs", term, _as=name), _as=name), _as=name)
    return _where_shifted(x, given, name)


def _digamma(x, name):
    """The derivative of the same."""
    terms, far = _shifted(x, name)
    once = operate("reciprocal", far, _as=name)
    given = operate("sub", operate("log", far, _as=name), operate("mul", once, _number(x, 0.5), _as=name), _as=name)
    given = operate("sub", given, operate("mul", operate("mul", once, once, _as=name), _number(x, 1.0 / 12.0), _as=name), _as=name)
    for term in terms:
        given = operate("sub", given, operate("reciprocal", term, _as=name), _as=name)
    return _where_shifted(x, given, name)


def _sine_over(x, name):
    scaled = operate("mul", x, _number(x, 3.141592653589793), _as=name)
    is_zero = operate("equal", x, _number(x, 0.0), _as=name)
    safe = operate("where", is_zero, _number(x, 1.0), scaled, _as=name)
    return operate("where", is_zero, _number(x, 1.0), operate("div", operate("sin", safe, _as=name), safe, _as=name), _as=name)


def _log_of_size(x, name):
    return operate("log", operate("abs", operate("det", x, _as=name), _as=name), _as=name)


_FLOATS = {
    "det": lambda x, name: operate("det", x, _as=name),
    "logdet": lambda x, name: operate("log", operate("det", x, _as=name), _as=name),
    "sign of det": lambda x, name: operate("sign", operate("det", x, _as="slogdet"), _as="slogdet"),
    "log of abs of det": lambda x, name: _log_of_size(x, "slogdet"),
    "lgamma": _log_gamma,
    "digamma": _digamma,
    "entr": lambda x, name: operate("neg", operate("xlogy", x, x, _as=name), _as=name),
    "xlog1py": lambda x, y, name: operate("xlog1py", x, y, _as=name),
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
    "floor_divide": lambda x, y, name: operate("floor", operate("div", x, y, _as=name), _as=name),
    "fmod": lambda x, y, name: operate("mod", x, y, fmod=True, _as=name),
    "trunc": lambda x, name: operate("mul", operate("sign", x, _as=name), operate("floor", operate("abs", x, _as=name), _as=name), _as=name),
    "deg2rad": lambda x, name: operate("mul", x, _number(x, 0.017453292519943295), _as=name),
    "rad2deg": lambda x, name: operate("mul", x, _number(x, 57.29577951308232), _as=name),
    "frac": lambda x, name: operate("sub", x, _FLOATS["trunc"](x, name), _as=name),
    "sinc": _sine_over,
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


_INTS = {
    "floor_divide": lambda x, y, name: operate("floor_div", x, y, _as=name),
}


def computed(name, kind, operands, result):
    """The result with its elements, if they are asked for and known how to come by."""
    if not _tensorvet.follows_values():
        return result
    kinds = LETTER.get(kind, "")
    given = _FLOATS.get(name) if kinds in ("h", "f") else _BOOLS.get(name) if kinds == "b" else _INTS.get(name) if kind in ("i32", "i64") else None
    if given is None:
        return result
    return given(*[operand if _tensorvet.is_tensor(operand) else _tensorvet.number(kind, operand) for operand in operands], name)


def bounded(name, kind, input, least, most, result):
    """`input`, but no less than one bound and no more than another."""
    if not _tensorvet.follows_values() or LETTER.get(kind) not in ("h", "f"):
        return result
    for bound, meet in ((least, "max"), (most, "min")):
        if bound is not None:
            # Gradients go another way where bounds are tensors.
            by_tensor = _tensorvet.is_tensor(bound)
            input = operate(meet, [input, bound if by_tensor else _tensorvet.number(kind, bound)], _as=name + " by a tensor" if by_tensor else name)
    return input


def without_infinities(input, nan, high, low, result):
    """`input`, but numbers where it is none: the largest and the least for infinities, unless others are told."""
    kind = _tensorvet.kind(input)
    if not _is_followed(input) or are_any_unknown((nan, high, low)):
        return result
    most = {"f16": 65504.0, "bf16": 3.3895313892515355e38, "f32": 3.4028234663852886e38, "f64": 1.7976931348623157e308}[kind]
    name = "nan_to_num"
    given = operate("where", operate("is_nan", input, _as=name), _number(input, 0.0 if nan is None else nan), input, _as=name)
    for test, end, told in (("greater", most, high), ("less", -most, low)):
        is_beyond = operate(test, given, _number(input, end), _as=name)
        given = operate("where", is_beyond, _number(input, end if told is None else told), given, _as=name)
    return given


def are_any_unknown(values):
    for value in values:
        if _tensorvet.is_unknown(value):
            return True
    return False


def drawn(kind, sizes, result, name="rand"):
    """Draws between 0 and 1, which do not reach 1; or normal ones."""
    if not _tensorvet.follows_values() or LETTER.get(kind) not in ("h", "f"):
        return result
    return operate("random_normal" if name.startswith("randn") else "random_uniform", shape=list(sizes), dtype=kind, _as=name)


def _is_followed(input):
    return _tensorvet.follows_values() and LETTER.get(_tensorvet.kind(input)) in ("h", "f")


def dropped(name, input, p, result):
    """Zero, or what makes up for zeros elsewhere."""
    if not _is_followed(input) or not isinstance(p, (int, float)) or _tensorvet.is_unknown(p):
        return result
    if p == 1:
        return operate("mul", input, _number(input, 0.0), _as=name)
    draw = operate("random_uniform", shape=list(input.shape), dtype=_tensorvet.kind(input), _as=name)
    kept = operate("mul", input, _number(input, 1.0 / (1.0 - p)), _as=name)
    return operate("where", operate("less", draw, _number(input, p), _as=name), _number(input, 0.0), kept, _as=name)


def masked(name, input, mask, result):
    """Elements of `input` where a mask of its shape is true: elsewhere there is none."""
    if not _is_followed(input) or _tensorvet.kind(mask) != "bool":
        return _tensorvet.one_of_those(result, input)
    return _tensorvet.one_of_those(result, _tensorvet.part_where(input, mask))


def standardised(name, input, places, eps, weight, bias, shape, result):
    """Distances from the mean in deviations: of n numbers none is further away than the root of n."""
    size = count_of(input, places)
    if not _is_followed(input) or size is None or eps is None or size == 0:
        return result
    middle = operate("reduce_mean", input, axes=list(places), keepdims=True, _as=name)
    distance = operate("sub", input, middle, _as=name)
    return _in_deviations(name, distance, places, eps, weight, bias, shape, size)


def _in_deviations(name, distance, places, eps, weight, bias, shape, size):
    squares = operate("mul", distance, distance, _as=name)
    variance = operate("reduce_mean", squares, axes=list(places), keepdims=True, _as=name)
    deviation = operate("sqrt", operate("add", variance, _number(variance, eps), _as=name), _as=name)
    given = operate("div", distance, deviation, _as=name)
    most = size**0.5 * 1.001
    if not _tensorvet.is_unknown(most):
        given = operate("min", [operate("max", [given, _number(given, -most)], _as=name), _number(given, most)], _as=name)
    for operator, parameter in (("mul", weight), ("add", bias)):
        if parameter is not None:
            parameter = operate("cast", parameter, to=_tensorvet.kind(given), _as=name) if _tensorvet.kind(parameter) != _tensorvet.kind(given) else parameter
            given = operate(operator, given, operate("reshape", parameter, shape=list(shape), _as=name), _as=name)
    return given


def scaled_by_root_mean_square(name, input, places, eps, weight, shape, result):
    """As `standardised`, around zero."""
    size = count_of(input, places)
    if not _is_followed(input) or size is None or eps is None or size == 0:
        return result
    return _in_deviations(name, input, places, eps, weight, None, shape, size)


def count_of(input, places):
    """How many numbers there are along axes, if that is known."""
    size = 1
    for place in places:
        size = size * input.shape[place]
    return size if _tensorvet.all_ints([size]) else None


def normalised(name, input, p, places, eps, result):
    """`input` divided by its norm, which is at least `eps`."""
    operator = {1: "reduce_l1", 2: "reduce_l2"}.get(p)
    if not _is_followed(input) or operator is None:
        return result
    norm = operate(operator, input, axes=list(places), keepdims=True, _as=name)
    given = operate("div", input, operate("max", [norm, _number(input, eps)], _as=name), _as=name)
    # No element is larger than the norm; the bound is one that every type holds.
    return operate("min", [operate("max", [given, _number(given, -1.0078125)], _as=name), _number(given, 1.0078125)], _as=name)


def cross_entropy_of_bits(name, input, target, weight, result):
    """PyTorch takes no logarithm for less than -100."""
    if not _is_followed(input) or _tensorvet.kind(target) != _tensorvet.kind(input):
        return result
    least = _number(input, 3.783505853677006e-44)
    rest = [operate("sub", _number(input, 1.0), each, _as=name) for each in (input, target)]
    terms = [operate("mul", share, operate("log", operate("max", [chance, least], _as=name), _as=name), _as=name) for share, chance in ((target, input), (rest[1], rest[0]))]
    given = operate("neg", operate("add", terms[0], terms[1], _as=name), _as=name)
    return given if weight is None else operate("mul", given, weight, _as=name)


def cross_entropy_of_logits(name, input, target, weight, result):
    """`softplus(x) - x * target`, which never overflows."""
    if not _is_followed(input) or _tensorvet.kind(target) != _tensorvet.kind(input):
        return result
    given = operate("sub", operate("softplus", input, _as=name), operate("mul", input, target, _as=name), _as=name)
    return given if weight is None else operate("mul", given, weight, _as=name)


def smoothed_distance(name, input, target, width, scale, result):
    """Half a square near zero, straight further away."""
    if not _is_followed(input) or _tensorvet.kind(target) != _tensorvet.kind(input) or not isinstance(width, (int, float)) or width == 0:
        return result
    apart = operate("abs", operate("sub", input, target, _as=name), _as=name)
    square = operate("mul", operate("mul", apart, apart, _as=name), _number(apart, 0.5 / scale), _as=name)
    straight = operate("mul", operate("sub", apart, _number(apart, 0.5 * width), _as=name), _number(apart, width / scale), _as=name)
    return operate("where", operate("less", apart, _number(apart, width), _as=name), square, straight, _as=name)


def replaced(name, input, mask, value, result):
    """`input`, but `value` where the mask is true."""
    if not _tensorvet.follows_values() or LETTER.get(_tensorvet.kind(input)) not in ("h", "f"):
        return result
    return operate("where", mask, value if _tensorvet.is_tensor(value) else _tensorvet.number(_tensorvet.kind(input), value), input, _as=name)


def _as_operand(input, value):
    """A number or tensor as a tensor of the type of another; None if it is not known, or no real one."""
    if _tensorvet.is_unknown(value) or isinstance(value, complex):
        return None
    if not _tensorvet.is_tensor(value):
        return _number(input, value) if isinstance(value, (int, float)) else None
    if _tensorvet.kind(value) == _tensorvet.kind(input):
        return value
    return operate("cast", value, to=_tensorvet.kind(input), _as="assignment") if LETTER.get(_tensorvet.kind(value)) in ("i", "h", "f", "b") else None


def with_part(input, place, value, cuts, result):
    """`input` once `input[place]` is `value`."""
    if not _is_followed(input):
        return result
    operand = _as_operand(input, value)
    if operand is None:
        return result
    if cuts is not None:
        given = _tensorvet.with_part(input, operand, cuts)
        return result if given is None else given
    if _tensorvet.is_tensor(place) and _tensorvet.kind(place) == "bool" and operand.ndim == 0:
        # A mask of the first axes holds for all that is in the others.
        mask = operate("reshape", place, shape=[*place.shape, *[1] * (input.ndim - place.ndim)], _as="assignment") if place.ndim < input.ndim else place
        return operate("where", mask, operand, input, _as="assignment")
    return either(input, operand, result)


def either(input, value, result):
    """A tensor whose elements are those of one tensor or of another."""
    if not _is_followed(input):
        return result
    operand = _as_operand(input, value)
    return result if operand is None else _tensorvet.like_those_of(result, input, operand)


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
