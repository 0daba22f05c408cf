"""Functions of each element by itself, or of elements that meet when tensors are broadcast."""

import _tensorvet
from _tensorvet import operate, require
from torch import _sums, _types, _values
from torch._rules import accept, as_kind, common_kind, elementwise, in_words, kind_of, letter, like, real_factors, scales, tensor_of
from torch._types import LETTER, floated, real_of
from torch.return_types import result as named_result

__aliases__ = {"x": "input", "x1": "input", "a": "input", "x2": "other"}


def _same(kind):
    return kind


def _bool(kind):
    return "bool"


def _unary(name, letters, result=_same, operator=None):
    """A function of one tensor that takes elements of some kinds."""

    def give(input):
        accept(name, letters, input)
        kind = kind_of(input)
        given = result(kind)
        if name in ("bitwise_not", "logical_not") and kind == "bool":
            return operate("not", input, _as=name)
        if operator is None or kind is None or LETTER[given] not in "hf":
            return _values.computed(name, given, [as_kind(input, given)], like(input, given))
        return operate(operator, as_kind(input, given), _as=name)

    # What keeps the type wants an `out` of that type.
    if result is _same or result is real_of or name in ("isneginf", "isposinf", "signbit"):

        def function(input: Tensor, *, out: Tensor | None = None):
            return give(input)

    else:

        def function(input: Tensor, *, out: Out | None = None):
            return give(input)

    return _tensorvet.named(name, function)


# Functions on floating-point numbers; integers are made float32.
_FLOAT_OR_COMPLEX = "acos acosh asin asinh atan atanh cos cosh exp exp2 expm1 log log10 log1p log2 rsqrt sigmoid sin sinc sinh sqrt tan tanh reciprocal".split()
_FLOAT = "deg2rad digamma erf erfc erfinv i0 lgamma rad2deg".split()
_DEFINED = "acos acosh asin asinh atan atanh cos cosh exp log sigmoid sin sinh sqrt tan tanh reciprocal erf".split()

for _name in _FLOAT_OR_COMPLEX + _FLOAT:
    _letters = "bihfc" if _name in _FLOAT_OR_COMPLEX else "bihf"
    _tensorvet.define(_name, _unary(_name, _letters, floated, _name if _name in _DEFINED else None))
for _name, _letters in [("ceil", "ihf"), ("floor", "ihf"), ("trunc", "ihf"), ("frac", "hf"), ("neg", "ihfc")]:
    _tensorvet.define(_name, _unary(_name, _letters, _same, _name if _name in ("ceil", "floor", "neg") else None))
for _name, _letters in [("sign", "bihf"), ("sgn", "bihfc"), ("conj_physical", "bihfc"), ("bitwise_not", "bi"), ("alias_copy", "bihfc")]:
    _tensorvet.define(_name, _unary(_name, _letters))
for _name, _letters in [("isneginf", "bihf"), ("isposinf", "bihf"), ("signbit", "bihf"), ("logical_not", "bihfc")]:
    _tensorvet.define(_name, _unary(_name, _letters, _bool))
abs = absolute = _unary("abs", "ihfc", real_of, "abs")
angle = _unary("angle", "bihfc", lambda kind: real_of(floated(kind)))
square = _unary("square", "bihfc", lambda kind: "i64" if kind == "bool" else kind)
arccos, arccosh, arcsin, arcsinh, arctan, arctanh = acos, acosh, asin, asinh, atan, atanh
negative, fix = neg, trunc


def _test(name, operator=None):
    def function(input: Tensor):
        if operator is not None and _tensorvet.follows_values() and letter(input) in "hf":
            return operate(operator, input, _as=name)
        return like(input, "bool")

    return _tensorvet.named(name, function)


isfinite, isinf, isnan, isreal = _test("isfinite", "is_finite"), _test("isinf", "is_inf"), _test("isnan", "is_nan"), _test("isreal")


def round(input: Tensor, *, decimals: int = None, out: Tensor | None = None):
    accept("round", "ihf" if decimals is None else "hf", input)
    if decimals is None and _tensorvet.follows_values() and letter(input) in "hf":
        return operate("round", input, _as="round")
    return like(input)


def logit(input: Tensor, eps: float | None = None, *, out: Out | None = None):
    accept("logit", "bihf", input)
    kind = floated(kind_of(input))
    given = as_kind(input, kind)
    if eps is not None:
        given = _values.bounded("logit", kind, given, eps, 1.0 - eps, given)
    return _values.computed("logit", kind, [given], like(input, kind))


def nan_to_num(input: Tensor, nan: float | None = None, posinf: float | None = None, neginf: float | None = None, *, out: Tensor | None = None):
    return _values.without_infinities(input, nan, posinf, neginf, like(input))


def polygamma(n: int, input: Tensor, *, out: Out | None = None):
    require("polygamma takes a number that is not negative", n >= 0, "value")
    accept("polygamma", "bihf", input)
    return like(input, floated(kind_of(input)))


def mvlgamma(input: Tensor, p: int, *, out: Out | None = None):
    require("mvlgamma takes a positive `p`", p >= 1, "value")
    accept("mvlgamma", "ihf", input)
    return like(input, floated(kind_of(input)))


def conj(input: Tensor):
    return input


def resolve_conj(input: Tensor):
    return input


def resolve_neg(input: Tensor):
    return input


def relu(input: Tensor):
    accept("relu", "ihf", input)
    return operate("relu", input, _as="relu") if letter(input) in "hf" else like(input)


def positive(input: Tensor):
    accept("positive", "ihfc", input)
    return input


def real(input: Tensor):
    return like(input, real_of(kind_of(input))) if letter(input) == "c" else input


def imag(input: Tensor):
    accept("imag", "c", input, raises=TypeError)
    return like(input, real_of(kind_of(input)))


def frexp(input: Tensor, *, out: Tensors | None = None):
    accept("frexp", "hf", input, raises=RuntimeError)
    return named_result("frexp", "mantissa exponent", (like(input), like(input, "i32")))


def _binary(name, letters, operator=None, result=None):
    """A function of two tensors or numbers, of their common type."""

    def function(input: Operand, other: Operand, *, out: Out | None = None):
        return _combined(name, letters, operator, result, input, other)

    return _tensorvet.named(name, function)


def _tensor_binary(name, letters, operator=None, result=None):
    """Like `_binary`, for functions that take no numbers."""

    def function(input: Tensor, other: Tensor, *, out: Out | None = None):
        return _combined(name, letters, operator, result, input, other)

    return _tensorvet.named(name, function)


def _comparison(name, letters, operator=None):
    """A test of a tensor against a tensor or a number."""

    def function(input: Tensor, other: Operand, *, out: Out | None = None):
        return _combined(name, letters, operator, _bool, input, other)

    return _tensorvet.named(name, function)


def _combined(name, letters, operator, result, input, other):
    require("an operand of `" + name + "` is a tensor", _tensorvet.is_tensor(input) or _tensorvet.is_tensor(other), "type", raises=TypeError)
    kind = common_kind(input, other)
    accepted(name, letters, kind, input, other)
    given = elementwise(name, operator, kind, [input, other], kind if result is None else result(kind))
    return given if operator is not None else _values.computed(name, kind, [operand if not _tensorvet.is_tensor(operand) else as_kind(operand, kind) for operand in (input, other)], given)


def accepted(name, letters, kind, *operands):
    """States that a function computes in this common type."""
    if kind is not None and LETTER[kind] not in letters:
        # Sizes are looked at before types are.
        _tensorvet.broadcast(kind, [tensor_of(operand, kind) for operand in operands], name)
        require("`" + name + "` takes " + in_words(letters), False, "type", *operands, raises=NotImplementedError)


def _scaled(name, kind, other, alpha):
    """So often the second operand, for whoever follows values."""
    is_once = not _tensorvet.is_unknown(alpha) and alpha == 1
    return other if is_once or not _tensorvet.follows_values() else elementwise(name, "mul", kind, [other, alpha]) if _tensorvet.is_tensor(other) else other * alpha


def add(input: Operand, other: Operand, *, alpha: Number = 1, out: Out | None = None):
    kind = common_kind(input, other)
    require("an operand of `add` is a tensor", _tensorvet.is_tensor(input) or _tensorvet.is_tensor(other), "type")
    scales("add", kind, alpha)
    return elementwise("add", "add", kind, [input, _scaled("add", kind, other, alpha)])


def sub(input: Operand, other: Operand, *, alpha: Number = 1, out: Out | None = None):
    kind = common_kind(input, other)
    require("an operand of `sub` is a tensor", _tensorvet.is_tensor(input) or _tensorvet.is_tensor(other), "type")
    for operand in (input, other):
        is_bool = kind_of(operand) == "bool" if _tensorvet.is_tensor(operand) else isinstance(operand, bool)
        require("`-` takes no bool: `~mask` inverts a mask, `^` tells where two differ", not is_bool, "type", input, other, raises=NotImplementedError)
    scales("sub", kind, alpha)
    return elementwise("sub", "sub", kind, [input, _scaled("sub", kind, other, alpha)])


def rsub(input: Tensor, other: Operand, *, alpha: Number = 1):
    return sub(other, input, alpha=alpha) if _tensorvet.is_tensor(other) or not isinstance(other, bool) else sub(tensor_of(other, "bool"), input)


def div(input: Operand, other: Operand, *, rounding_mode: str | None = None, out: Out | None = None):
    require("`rounding_mode` is None, 'trunc' or 'floor'", rounding_mode in (None, "trunc", "floor"), "value")
    if rounding_mode is not None:
        result = _combined("div", "ihf", None, None, input, other)
        if not _tensorvet.follows_values() or letter(result) not in "hf":
            return result
        return (floor if rounding_mode == "floor" else trunc)(elementwise("div", "div", kind_of(result), [input, other]))
    require("an operand of `div` is a tensor", _tensorvet.is_tensor(input) or _tensorvet.is_tensor(other), "type")
    return elementwise("div", "div", floated(common_kind(input, other)), [input, other])


def pow(input: Operand, exponent: Operand, *, out: Out | None = None):
    require("an operand of `pow` is a tensor", _tensorvet.is_tensor(input) or _tensorvet.is_tensor(exponent), "type", raises=TypeError)
    kind = common_kind(input, exponent)
    accepted("pow", "ihfc", kind, input, exponent)
    if not _tensorvet.is_tensor(exponent) and LETTER.get(kind) == "i":
        require("integers are not raised to negative powers", exponent >= 0, "value", input)
    return elementwise("pow", "pow" if kind in ("f16", "bf16", "f32", "f64", "i32", "i64") else None, kind, [input, exponent])


def float_power(input: Operand, exponent: Operand, *, out: Tensor | None = None):
    require("an operand of `float_power` is a tensor", _tensorvet.is_tensor(input) or _tensorvet.is_tensor(exponent), "type", raises=TypeError)
    kind = common_kind(input, exponent)
    kind = "c128" if kind is not None and LETTER[kind] == "c" else "f64"
    return elementwise("float_power", None, kind, [input, exponent])


mul = _binary("mul", "bihfc", "mul")
floor_divide = _binary("floor_divide", "ihf")
remainder = _binary("remainder", "ihf", "mod")
xlogy = _binary("xlogy", "bihf", None, floated)
eq, ne = _comparison("eq", "bihfc", "equal"), _comparison("ne", "bihfc")
lt, le = _comparison("lt", "bihf", "less"), _comparison("le", "bihf", "less_or_equal")
gt, ge = _comparison("gt", "bihf", "greater"), _comparison("ge", "bihf", "greater_or_equal")
bitwise_and, bitwise_or, bitwise_xor = _binary("bitwise_and", "bi"), _binary("bitwise_or", "bi"), _binary("bitwise_xor", "bi")
bitwise_left_shift, bitwise_right_shift = _binary("bitwise_left_shift", "i"), _binary("bitwise_right_shift", "i")
atan2 = arctan2 = _tensor_binary("atan2", "bihf", None, floated)
hypot, logaddexp2, nextafter = _tensor_binary("hypot", "hf"), _tensor_binary("logaddexp2", "hf"), _tensor_binary("nextafter", "hf")
igamma, igammac = _tensor_binary("igamma", "hf"), _tensor_binary("igammac", "hf")
logaddexp = _tensor_binary("logaddexp", "hfc")
maximum, minimum, fmax, fmin = [_tensor_binary(name, "bihf") for name in ("maximum", "minimum", "fmax", "fmin")]
gcd, lcm = _tensor_binary("gcd", "i"), _tensor_binary("lcm", "i")
logical_and, logical_or, logical_xor = [_tensor_binary(name, "bihfc", None, _bool) for name in ("logical_and", "logical_or", "logical_xor")]
ldexp = _tensor_binary("ldexp", "bihfc", None, floated)
subtract, multiply, divide = sub, mul, div
greater, greater_equal, less, less_equal, not_equal = gt, ge, lt, le, ne


def true_divide(input: Operand, other: Operand, *, out: Out | None = None):
    return div(input, other)


def fmod(input: Tensor, other: Operand, *, out: Out | None = None):
    return _combined("fmod", "ihf", None, None, input, other)


def copysign(input: Tensor, other: Operand, *, out: Out | None = None):
    return _combined("copysign", "bihf", None, floated, input, other)


def heaviside(input: Tensor, values: Tensor, *, out: Tensor | None = None):
    require("`heaviside` takes tensors of one element type", kind_of(input) == kind_of(values), "type", input, values)
    accept("heaviside", "bihf", input)
    return elementwise("heaviside", None, kind_of(input), [input, values])


def isclose(input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False):
    require("`isclose` takes tensors of one element type", kind_of(input) == kind_of(other), "type", input, other)
    require("no tolerance is negative", rtol >= 0 and atol >= 0, "value")
    return elementwise("isclose", None, "bool", [input, other])


def allclose(input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False):
    isclose(input, other, rtol, atol, equal_nan)
    return _tensorvet.unknown("whether numbers are close", "bool")


def equal(input: Tensor, other: Tensor):
    return _tensorvet.unknown("whether numbers are equal", "bool")


def _bounded(name, input, bounds, letters="ihf"):
    operands = [input] + [bound for bound in bounds if bound is not None]
    require("`" + name + "` is given a bound", len(operands) > 1, "value")
    kind = common_kind(*operands)
    accepted(name, letters, kind, *operands)
    least, most = (None, bounds[0]) if name == "clamp_max" else (bounds[0], bounds[1] if len(bounds) > 1 else None)
    return _values.bounded(name, kind, as_kind(input, kind), least, most, elementwise(name, None, kind, operands))


def clamp(input: Tensor, min: Operand | None = None, max: Operand | None = None, *, out: Out | None = None):
    mixed = min is not None and max is not None and _tensorvet.is_tensor(min) != _tensorvet.is_tensor(max)
    if mixed:
        raise TypeError("clamp() takes two numbers or two tensors")
    result = _bounded("clamp", input, [min, max])
    if isinstance(min, int) and isinstance(max, int) and letter(input) not in "hf":
        return _tensorvet.between(result, min, max, False)
    return result


clip = clamp


def clamp_max(input: Tensor, max: Operand, *, out: Out | None = None):
    return _bounded("clamp_max", input, [max], "bihf" if _tensorvet.is_tensor(max) else "ihf")


def clamp_min(input: Tensor, min: Operand, *, out: Out | None = None):
    return _bounded("clamp_min", input, [min], "bihf" if _tensorvet.is_tensor(min) else "ihf")


def lerp(input: Tensor, end: Tensor, weight: Operand, *, out: Tensor | None = None):
    tensors = [input, end] + ([weight] if _tensorvet.is_tensor(weight) else [])
    for tensor in tensors[1:]:
        require("`lerp` takes tensors of one element type", kind_of(tensor) == kind_of(input), "type", *tensors)
    accept("lerp", "hfc", input)
    if not _tensorvet.is_tensor(weight):
        real_factors("lerp", kind_of(input), weight)
    return _sums.between("lerp", input, end, weight, elementwise("lerp", None, kind_of(input), tensors))


def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1, out: Out | None = None):
    kind = common_kind(input, tensor1, tensor2)
    accepted("addcmul", "ihfc", kind, input, tensor1, tensor2)
    real_factors("addcmul", kind, value)
    return _sums.with_term("addcmul", kind, input, tensor1, tensor2, value, "mul", elementwise("addcmul", None, kind, [input, tensor1, tensor2]))


def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1, out: Out | None = None):
    quotient = letter(tensor1) in "bi" and letter(tensor2) in "bi"
    require("`addcdiv` does not divide integers", not quotient, "type", tensor1, tensor2)
    kind = common_kind(input, tensor1, tensor2)
    accepted("addcdiv", "hfc", kind, input, tensor1, tensor2)
    real_factors("addcdiv", kind, value)
    return _sums.with_term("addcdiv", kind, input, tensor1, tensor2, value, "div", elementwise("addcdiv", None, kind, [input, tensor1, tensor2]))


def where(condition: Tensor, input: Operand = None, other: Operand = None, *, out: Out | None = None):
    if input is None and other is None:
        from torch._indexing import nonzero

        return nonzero(condition, as_tuple=True)
    require("the condition of `where` is bool", kind_of(condition) in ("bool", "u8", None), "type", condition)
    kind = common_kind(input, other) if _tensorvet.is_tensor(input) or _tensorvet.is_tensor(other) else _types.promoted(_types.of_number(input), _types.of_number(other))
    first, second = tensor_of(input, kind), tensor_of(other, kind)
    if LETTER.get(kind) == "c" or kind_of(condition) != "bool":
        return _tensorvet.broadcast(kind, [condition, first, second], "where")
    return operate("where", condition, as_kind(first, kind), as_kind(second, kind), _as="where")




def complex(real: Tensor, imag: Tensor, *, out: Out | None = None):
    require("`complex` takes two tensors of one type", kind_of(real) == kind_of(imag), "type", real, imag, raises=NotImplementedError)
    accept("complex", "f", real, imag)
    return elementwise("complex", None, _types.complex_of(kind_of(real)), [real, imag])


def polar(abs: Tensor, angle: Tensor, *, out: Out | None = None):
    require("`polar` takes two tensors of one type", kind_of(abs) == kind_of(angle), "type", abs, angle, raises=NotImplementedError)
    accept("polar", "f", abs, angle)
    return elementwise("polar", None, _types.complex_of(kind_of(abs)), [abs, angle])


def view_as_complex(input: Tensor):
    shape = input.shape
    accept("view_as_complex", "f", input, also=("f16",))
    require("the last axis of `view_as_complex` has 2 numbers", len(shape) > 0 and shape[-1] == 2, "shape", input)
    if kind_of(input) == "f16":
        return _tensorvet.unknown("complex numbers in half precision are not modelled")
    return _tensorvet.given(_types.complex_of(kind_of(input)), list(shape[:-1]))


def view_as_real(input: Tensor):
    accept("view_as_real", "c", input, raises=TypeError)
    return _tensorvet.given(real_of(kind_of(input)), [*input.shape, 2])
