"""What distributions compute, as PyTorch writes it down: run only where somebody follows values."""

import math

import _tensorvet
from _tensorvet import operate
from torch import _values
from torch._types import LETTER, finfo

_ROOT = math.log(math.sqrt(2 * math.pi))


class Term:
    """A tensor in a formula: every step is one of the function of a name."""

    def __init__(self, tensor, name):
        self.tensor, self.name = tensor, name

    def _other(self, other):
        return other.tensor if isinstance(other, Term) else _tensorvet.number(_tensorvet.kind(self.tensor), other)

    def apply(self, operator, *others, **options):
        return Term(operate(operator, self.tensor, *[self._other(other) for other in others], _as=self.name, **options), self.name)

    def __add__(self, other):
        return self.apply("add", other)

    __radd__ = __add__

    def __mul__(self, other):
        return self.apply("mul", other)

    __rmul__ = __mul__

    def __sub__(self, other):
        return self.apply("sub", other)

    def __rsub__(self, other):
        return Term(self._other(other), self.name) - self

    def __truediv__(self, other):
        return self.apply("div", other)

    def __neg__(self):
        return self.apply("neg")

    def square(self):
        return self * self

    def log(self):
        return self.apply("log")

    def lgamma(self):
        return Term(_values.computed("lgamma", _tensorvet.kind(self.tensor), [self.tensor], self.tensor), self.name)

    def clamp(self, least, most):
        held = operate("max", [self.tensor, self._other(least)], _as="clamp")
        return Term(operate("min", [held, self._other(most)], _as="clamp"), self.name)


def are_followed(*tensors):
    """Whether formulas can be given for these: tensors of one floating-point type."""
    kinds = set([_tensorvet.kind(tensor) if _tensorvet.is_tensor(tensor) else None for tensor in tensors])
    return _tensorvet.follows_values() and len(kinds) == 1 and LETTER.get(list(kinds)[0]) in ("h", "f")


def positive(*tensors):
    """What is checked when a distribution is made: whoever goes on had positive numbers."""
    for tensor in tensors:
        if are_followed(tensor):
            _tensorvet.granted((tensor > 0).all())


def _normal(name, value, loc, scale):
    return -(value - loc).square() / (2 * scale.square()) - scale.log() - _ROOT


def _laplace(name, value, loc, scale):
    return -(2 * scale).log() - (value - loc).apply("abs") / scale


def _cauchy(name, value, loc, scale):
    return -math.log(math.pi) - scale.log() - ((value - loc) / scale).square().apply("add", 1.0).log()


def _exponential(name, value, rate):
    return rate.log() - rate * value


def _gamma(name, value, shape, rate):
    return _xlogy(shape, rate) + _xlogy(shape - 1.0, value) - rate * value - shape.lgamma()


def _xlogy(x, y):
    return x.apply("xlogy", y)


def _beta(name, value, one, zero):
    norm = one.lgamma() + zero.lgamma() - (one + zero).lgamma()
    return _xlogy(one - 1.0, value) + _xlogy(zero - 1.0, 1.0 - value) - norm


def _poisson(name, value, rate):
    return _xlogy(value, rate) - rate - (value + 1.0).lgamma()


def _student(name, value, df, loc, scale):
    y = (value - loc) / scale
    half = df * 0.5
    norm = scale.log() + 0.5 * df.log() + 0.5 * math.log(math.pi) + half.lgamma() - (0.5 * (df + 1.0)).lgamma()
    return -0.5 * (df + 1.0) * (y.square() / df + 1.0).log() - norm


# The logarithm of the density, and which parameters are positive.
DENSITIES = {
    "Normal": (_normal, ("scale",)),
    "Laplace": (_laplace, ("scale",)),
    "Cauchy": (_cauchy, ("scale",)),
    "Exponential": (_exponential, ("rate",)),
    "Gamma": (_gamma, ("concentration", "rate")),
    "Beta": (_beta, ("concentration1", "concentration0")),
    "Poisson": (_poisson, ()),
    "StudentT": (_student, ("df", "scale")),
    "HalfNormal": (None, ("scale",)),
    "Gumbel": (None, ("scale",)),
    "LogNormal": (None, ("scale",)),
}

ENTROPIES = {
    "Normal": lambda loc, scale: scale.log() + (0.5 + _ROOT),
    "Laplace": lambda loc, scale: (2 * scale).log() + 1.0,
    "Exponential": lambda rate: 1.0 - rate.log(),
}


def density(name, value, parameters, result):
    """The logarithm of the density at a value."""
    formula = DENSITIES.get(name, (None, ()))[0]
    if formula is None or not are_followed(value, *parameters):
        return result
    return formula("log_prob", *[Term(each, "log_prob") for each in (value, *parameters)]).tensor


def entropy(name, parameters, result):
    formula = ENTROPIES.get(name)
    if formula is None or not are_followed(*parameters):
        return result
    return formula(*[Term(each, "entropy") for each in parameters]).tensor


def drawn(name, parameters, result):
    """Draws that gradients flow through: from a standard one, moved and scaled."""
    if name != "Normal" or not are_followed(*parameters):
        return result
    loc, scale = [Term(each, "rsample") for each in parameters]
    noise = operate("random_normal", shape=list(result.shape), dtype=_tensorvet.kind(result), _as="rsample")
    return (loc + Term(noise, "rsample") * scale).tensor


def divergence_of_normal(p, q, result):
    if not are_followed(p.loc, p.scale, q.loc, q.scale):
        return result
    m, s, n, t = [Term(each, "kl_divergence") for each in (p.loc, p.scale, q.loc, q.scale)]
    ratio = (s / t).square()
    apart = ((m - n) / t).square()
    return (0.5 * (ratio + apart - 1.0 - ratio.log())).tensor


def logits_of(probs, is_binary):
    """The logits of probabilities, which are kept off zero and one as PyTorch does it."""
    if not are_followed(probs):
        return None
    eps = finfo._EPSILON[_tensorvet.kind(probs)]
    held = Term(probs, "log_prob").clamp(eps, 1.0 - eps)
    return (held.log() - (1.0 - held).log()).tensor if is_binary else held.log().tensor


def of_bits(logits, value, result):
    """The logarithm of the chance of zeros and ones."""
    if logits is None or not are_followed(logits, value):
        return result
    x, y = Term(logits, "log_prob"), Term(value, "log_prob")
    return (x * y - x.apply("softplus")).tensor


def of_shares(logits, result):
    """The entropy of shares along the last axis."""
    if logits is None or not are_followed(logits):
        return result
    chances = Term(logits, "entropy").apply("log_softmax", axis=-1)
    lowest = chances._other(-finfo._LARGEST[_tensorvet.kind(logits)])
    least = Term(operate("max", [chances.tensor, lowest], _as="entropy"), "entropy")
    total = (chances.apply("exp") * least).apply("reduce_sum", axes=[-1], keepdims=False)
    return (-total).tensor


def of_category(logits, result):
    """The logarithm of the chance of one of the categories along the last axis."""
    if logits is None or not are_followed(logits):
        return result
    chances = operate("log_softmax", logits, axis=-1, _as="log_prob")
    return _tensorvet.one_of_those(result, chances)
