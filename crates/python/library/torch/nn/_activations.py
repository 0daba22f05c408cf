"""Activations: each element by itself, or a normalisation along one axis."""

import _tensorvet
from _tensorvet import made, operate, require
from torch import _functions as f
from torch import _sums, _values
from torch._rules import accept, axis, computed, kind_of, like, real_factors
from torch._types import floated
from torch._versions import ARGUMENTS, later

__later__ = later(ARGUMENTS)


def _activation(name, letters, operator=None):
    """A function of one tensor of some kinds of elements."""

    def function(input: Tensor, inplace: truth = False):
        return activated(name, letters, input, operator)

    return _tensorvet.named(name, function)


def activated(name, letters, input, operator=None, **parameters):
    accept(name, letters, input)
    return computed(operator, like(input), input, _as=name, **parameters)


relu = _activation("relu", "ihf", "relu")
silu, mish = _activation("silu", "hfc", "swish"), _activation("mish", "hf", "mish")
hardswish, selu = _activation("hardswish", "hf", "hard_swish"), _activation("selu", "hf", "selu")


def relu6(input: Tensor, inplace: truth = False):
    return _values.bounded("relu6", kind_of(input), input, 0.0, 6.0, activated("relu6", "ihf", input))


def hardsigmoid(input: Tensor, inplace: truth = False):
    return activated("hardsigmoid", "hf", input, "hard_sigmoid", alpha=1.0 / 6, beta=0.5)


def relu_(input: Tensor):
    return relu(input)


def logsigmoid(input: Tensor, *, out: Tensor | None = None):
    return _values.computed("logsigmoid", kind_of(input), [input], activated("logsigmoid", "hf", input))


def _scaled(name, letters, default, word, operator):
    """An activation with one number."""
    if word == "alpha":

        def function(input: Tensor, alpha: Number = default, inplace: truth = False):
            return _with_number(name, letters, input, alpha, operator, alpha=alpha)

    else:

        def function(input: Tensor, negative_slope: Number = default, inplace: truth = False):
            return _with_number(name, letters, input, negative_slope, operator, alpha=negative_slope)

    return _tensorvet.named(name, function)


def _with_number(name, letters, input, number, operator=None, **parameters):
    require("the number of `" + name + "` is real", not isinstance(number, complex), "value", input)
    return activated(name, letters, input, operator, **parameters)


elu, leaky_relu = _scaled("elu", "hf", 1.0, "alpha", "elu"), _scaled("leaky_relu", "hf", 0.01, "negative_slope", "leaky_relu")


def celu(input: Tensor, alpha: Number = 1.0, inplace: truth = False):
    require("`alpha` of `celu` is not 0", alpha != 0, "value", input)
    return _with_number("celu", "hf", input, alpha, "celu", alpha=alpha)


def gelu(input: Tensor, *, approximate: str = "none", out: Tensor | None = None):
    require("`approximate` is 'none' or 'tanh'", approximate in ("none", "tanh"), "value", input)
    return activated("gelu", "hf", input, "gelu", approximate=approximate)


def hardshrink(input: Tensor, lambd: Number = 0.5, *, out: Tensor | None = None):
    return _sums.cut("hardshrink", input, lambd, _with_number("hardshrink", "hf", input, lambd))


def softshrink(input: Tensor, lambd: Number = 0.5, *, out: Tensor | None = None):
    require("`lambd` is not negative", isinstance(lambd, complex) or lambd >= 0, "value", input)
    return _sums.shrunk("softshrink", input, lambd, _with_number("softshrink", "hf", input, lambd))


def hardtanh(input: Tensor, min_val: Number = -1.0, max_val: Number = 1.0, inplace: truth = False):
    require("the lower bound is not above the upper one", min_val <= max_val, "value", input, raises=ValueError)
    return _values.bounded("hardtanh", kind_of(input), input, min_val, max_val, activated("hardtanh", "ihf", input))


def threshold(input: Tensor, threshold: Number, value: Number, inplace: truth = False):
    real_factors("threshold", kind_of(input), threshold, value)
    return _sums.above("threshold", input, threshold, value, activated("threshold", "ihf", input))


def softplus(input: Tensor, beta: Number = 1, threshold: Number = 20, *, out: Tensor | None = None):
    for number in (beta, threshold):
        require("the numbers of `softplus` are real", not isinstance(number, complex), "value", input)
    usual = beta == 1 and threshold == 20
    given = activated("softplus", "hf", input, "softplus" if usual else None)
    return given if usual else _sums.steep_softplus("softplus", input, beta, given)


def softsign(input: Duck):
    accept("softsign", "ihfc", input)
    return _values.computed("softsign", kind_of(input), [input], like(input, floated(kind_of(input))))


def tanhshrink(input: Duck):
    accept("tanhshrink", "ihfc", input)
    return _values.computed("tanhshrink", kind_of(input), [input], like(input, floated(kind_of(input))))


def tanh(input: Tensor):
    return f.tanh(input)


def sigmoid(input: Tensor):
    return f.sigmoid(input)


def rrelu(input: Tensor, lower: Number = 1.0 / 8, upper: Number = 1.0 / 3, training: bool = False, inplace: truth = False):
    require("the lower slope is not above the upper one", lower <= upper, "value", input)
    return activated("rrelu", "hf", input)


def prelu(input: Tensor, weight: Tensor):
    require("`weight` has the element type of `input`", kind_of(weight) == kind_of(input), "type", input, weight)
    require("`weight` is a number or a vector", weight.ndim <= 1, "shape", input, weight)
    accept("prelu", "hf", input)
    slopes = 1 if weight.ndim == 0 else weight.shape[0]
    if not isinstance(slopes, int) or slopes != 1:
        channels = input.shape[1] if input.ndim >= 2 else 1
        require("a tensor without axes has one slope", input.ndim > 0, "shape", input, weight)
        require("`weight` has one slope per channel of `input`", slopes == channels, "shape", input, weight)
    return _sums.sloped("prelu", input, weight, like(input))


def glu(input: Duck, dim: int = -1):
    shape = list(input.shape)
    require("`glu` takes a tensor with axes", len(shape) > 0, "shape", input)
    place = axis(dim, len(shape))
    require("the axis of `glu` falls into two halves", shape[place] % 2 == 0, "shape", input)
    accept("glu", "hf", input)
    shape[place] = shape[place] // 2
    if _tensorvet.follows_values() and 0 not in shape:
        halves = [f.narrow(input, place, start, shape[place]) for start in (0, shape[place])]
        return operate("mul", halves[0], operate("sigmoid", halves[1], _as="glu"), _as="glu")
    return made(kind_of(input), shape)


def _default_axis(input, dim):
    require("a softmax without `dim` does not run over the batch", dim is not None or input.ndim != 3, "suspicious axis", input)
    return (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim


def softmax(input: Duck, dim: int | None = None, _stacklevel=3, dtype: dtype | None = None):
    return f.softmax(input, _default_axis(input, dim), dtype)


def log_softmax(input: Duck, dim: int | None = None, _stacklevel=3, dtype: dtype | None = None):
    return f.log_softmax(input, _default_axis(input, dim), dtype)


def softmin(input: Duck, dim: int | None = None, _stacklevel=3, dtype: dtype | None = None):
    require("`softmin` takes no bools", kind_of(input) != "bool", "type", input, raises=NotImplementedError)
    return f.softmax(input, _default_axis(input, dim), dtype)


def gumbel_softmax(logits: Tensor, tau: float = 1, hard: truth = False, eps: float = 1e-10, dim: int = -1):
    accept("gumbel_softmax", "hf", logits, raises=RuntimeError)
    noisy = _sums.gumbel("gumbel_softmax", logits)
    return f.softmax(noisy / tau if _tensorvet.follows_values() else noisy, dim)


def _dropping(name, letters, ranks, drops=True):
    def function(input: object, p: float = 0.5, training: bool = drops, inplace: truth = False):
        if not _tensorvet.is_tensor(input):
            raise (TypeError if ranks is None else AttributeError)(name + "(): argument 'input' must be Tensor, not " + type(input).__name__)
        require("the probability of `" + name + "` lies between 0 and 1", 0.0 <= p and p <= 1.0, "value", input, raises=ValueError)
        if not training:
            return input
        if p not in (0, 1):
            accept(name, letters, input, raises=RuntimeError)
        if ranks is not None and input.ndim not in ranks:
            if name == "dropout1d":
                require("`dropout1d` takes channels and one more axis, batched or not", False, "shape", input)
            require("`" + name + "` takes channels", input.ndim >= 2, "shape", input)
        return like(input) if "alpha" in name else _values.dropped(name, input, p, like(input))

    return _tensorvet.named(name, function)


dropout = _dropping("dropout", "hfc", None)
dropout1d, dropout2d, dropout3d = _dropping("dropout1d", "hfc", (2, 3)), _dropping("dropout2d", "hfc", (3, 4)), _dropping("dropout3d", "hfc", (4, 5))
alpha_dropout, feature_alpha_dropout = _dropping("alpha_dropout", "hfc", None, False), _dropping("feature_alpha_dropout", "hfc", range(2, 64), False)
