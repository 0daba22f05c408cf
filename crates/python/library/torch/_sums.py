"""Sums and products that functions are made of, written out where somebody follows values."""

import _tensorvet
from _tensorvet import operate
from torch._values import _is_followed, _number


def is_known(*numbers):
    """Whether all are numbers that the program names."""
    return all([isinstance(number, (int, float)) and not _tensorvet.is_unknown(number) for number in numbers])


class Steps:
    """Steps of one function: to the user they are one call of that name."""

    def __init__(self, name, tensor):
        self.name, self.tensor = name, tensor

    def of(self, value):
        """A number as a tensor of the type that is computed in; a tensor as it is."""
        return value if _tensorvet.is_tensor(value) else _number(self.tensor, value)

    def add(self, x, y):
        return operate("add", self.of(x), self.of(y), _as=self.name)

    def sub(self, x, y):
        return operate("sub", self.of(x), self.of(y), _as=self.name)

    def mul(self, x, y):
        return operate("mul", self.of(x), self.of(y), _as=self.name)

    def div(self, x, y):
        return operate("div", self.of(x), self.of(y), _as=self.name)

    def least(self, x, number):
        """No less than a number."""
        return operate("max", [x, self.of(number)], _as=self.name)

    def most(self, x, number):
        return operate("min", [x, self.of(number)], _as=self.name)

    def where(self, condition, x, y):
        return operate("where", condition, self.of(x), self.of(y), _as=self.name)

    def below(self, x, y):
        return operate("less", self.of(x), self.of(y), _as=self.name)

    def one(self, operator, x, **parameters):
        return operate(operator, x, _as=self.name, **parameters)


def combined(name, x, y, beta, alpha, result):
    """`beta * x + alpha * y`; what is multiplied by a beta of 0 is not looked at."""
    if not _tensorvet.follows_values():
        return result
    if not _is_followed(y) or not is_known(beta, alpha) or _tensorvet.kind(x) != _tensorvet.kind(y):
        return _tensorvet.retyped(result, _tensorvet.kind(result))
    steps = Steps(name, y)
    product = y if alpha == 1 else steps.mul(y, alpha)
    if beta == 0:
        return product
    return steps.add(x if beta == 1 else steps.mul(x, beta), product)


def biased(name, product, bias):
    """A product with a bias."""
    if not _is_followed(product) or _tensorvet.kind(product) != _tensorvet.kind(bias):
        return _tensorvet.derived(product, product, bias) if not _tensorvet.follows_values() else _tensorvet.derived(_tensorvet.retyped(product, _tensorvet.kind(product)), product, bias)
    return operate("add", product, bias, _as=name)


def between(name, x, y, weight, result):
    """So far from one tensor to another."""
    if not _is_followed(x) or not (_tensorvet.is_tensor(weight) or is_known(weight)):
        return result
    steps = Steps(name, x)
    return steps.add(x, steps.mul(steps.sub(y, x), weight))


def with_term(name, kind, x, y, z, value, operator, result):
    """`x + value * (y * z)`, or `y / z`."""
    if not _is_followed(result) or not is_known(value) or not all([_tensorvet.kind(each) == kind for each in (x, y, z)]):
        return result
    steps = Steps(name, result)
    term = operate(operator, y if value == 1 else steps.mul(y, value), z, _as=name)
    return steps.add(x, term)


def shrunk(name, input, width, result):
    """Softly: what is near zero is zero, and the rest that much nearer."""
    if not _is_followed(input) or not is_known(width):
        return result
    steps = Steps(name, input)
    return steps.sub(input, steps.most(steps.least(input, -width), width))


def cut(name, input, width, result):
    """What is near zero is zero."""
    if not _is_followed(input) or not is_known(width):
        return result
    steps = Steps(name, input)
    return steps.where(steps.below(width, steps.one("abs", input)), input, 0.0)


def above(name, input, threshold, value, result):
    """What does not exceed a threshold is a number."""
    if not _is_followed(input) or not is_known(threshold, value):
        return result
    steps = Steps(name, input)
    return steps.where(steps.below(threshold, input), input, value)


def sloped(name, input, slope, result):
    """Below zero, times a slope."""
    if not _is_followed(input):
        return result
    if slope.ndim == 1 and input.ndim >= 2:
        slope = operate("reshape", slope, shape=[slope.shape[0], *[1] * (input.ndim - 2)], _as=name)
    steps = Steps(name, input)
    return steps.where(steps.below(input, 0.0), steps.mul(input, slope), input)


def steep_softplus(name, input, beta, result):
    if not _is_followed(input) or not is_known(beta) or beta == 0:
        return result
    steps = Steps(name, input)
    return steps.div(steps.one("softplus", steps.mul(input, beta)), beta)


def weighted_bits(name, input, target, weight, positive, result):
    """The cross entropy of logits where what is true counts more."""
    if not _is_followed(input) or _tensorvet.kind(target) != _tensorvet.kind(input) or _tensorvet.kind(positive) != _tensorvet.kind(input):
        return result
    steps = Steps(name, input)
    scale = steps.add(steps.mul(steps.sub(positive, 1.0), target), 1.0)
    given = steps.add(steps.mul(steps.sub(1.0, target), input), steps.mul(scale, steps.one("softplus", steps.one("neg", input))))
    return given if weight is None else steps.mul(given, weight)


def divergence(name, input, target, log_target, result):
    """Of Kullback and Leibler, the first being logarithms."""
    if not _is_followed(input) or _tensorvet.kind(target) != _tensorvet.kind(input) or _tensorvet.is_unknown(log_target):
        return result
    steps = Steps(name, input)
    if log_target:
        return steps.mul(steps.one("exp", target), steps.sub(target, input))
    return steps.sub(operate("xlogy", target, target, _as=name), steps.mul(target, input))


def of_counts(name, input, target, log_input, full, eps, result):
    """How unlikely counts are at a rate, or at its logarithm."""
    if not _is_followed(input) or _tensorvet.kind(target) != _tensorvet.kind(input) or full or not is_known(eps):
        return result
    steps = Steps(name, input)
    if log_input:
        return steps.sub(steps.one("exp", input), steps.mul(target, input))
    return steps.sub(input, steps.mul(target, steps.one("log", steps.add(input, eps))))


def of_normal(name, input, target, variance, eps, full, result):
    """How unlikely numbers are at a mean and a variance."""
    kinds = [_tensorvet.kind(each) for each in (input, target, variance)]
    if not _is_followed(input) or len(set(kinds)) != 1 or not is_known(eps):
        return result
    steps = Steps(name, input)
    variance = steps.least(variance, eps)
    distance = steps.sub(input, target)
    given = steps.mul(steps.add(steps.one("log", variance), steps.div(steps.mul(distance, distance), variance)), 0.5)
    return steps.add(given, 0.9189385332046727) if full else given


def of_margin(name, input, target, result):
    """The library takes the logarithm of one more than a power."""
    if not _is_followed(input) or _tensorvet.kind(target) != _tensorvet.kind(input):
        return result
    steps = Steps(name, input)
    power = steps.one("exp", steps.one("neg", steps.mul(target, input)))
    return steps.one("log", steps.add(power, 1.0))


def ranked(name, first, second, target, margin, result):
    """By how much the wrong one of two is ahead."""
    if not _is_followed(first) or not is_known(margin) or len({_tensorvet.kind(each) for each in (first, second, target)}) != 1:
        return result
    steps = Steps(name, first)
    ahead = steps.one("neg", steps.mul(target, steps.sub(first, second)))
    return steps.least(steps.add(ahead, margin) if margin != 0 else ahead, 0.0)


def smoothed_entropy(name, input, target, smoothing, result):
    """The cross entropy of scores with chances, or with one class that is not quite sure: one number per sample."""
    if not _is_followed(input) or input.ndim < 2 or not is_known(smoothing):
        return result
    steps = Steps(name, input)
    chances = operate("log_softmax", input, axis=1, _as=name)
    classes = input.shape[1]
    if _tensorvet.kind(target) == _tensorvet.kind(input):
        share = target if smoothing == 0 else steps.add(steps.mul(target, 1.0 - smoothing), smoothing / classes) if is_known(classes) else None
        return result if share is None else steps.one("neg", operate("reduce_sum", steps.mul(share, chances), axes=[1], keepdims=False, _as=name))
    if _tensorvet.kind(target) != "i64":
        return result
    outputs = operate("negative_log_likelihood_loss", chances, target, reduction="none", _outputs=1, _as=name)
    own = outputs[0] if isinstance(outputs, tuple) else outputs
    rest = steps.one("neg", operate("reduce_mean", chances, axes=[1], keepdims=False, _as=name))
    return steps.add(steps.mul(own, 1.0 - smoothing), steps.mul(rest, smoothing))


def attended(name, query, key, value, mask, causal, scale, result):
    """Means of values, weighted by how well queries meet keys."""
    features = query.shape[-1]
    if not _is_followed(query) or causal or mask is not None or not (is_known(scale) if scale is not None else is_known(features)):
        return result
    rank = key.ndim
    order = [*range(rank - 2), rank - 1, rank - 2]
    scores = operate("matmul", query, operate("transpose", key, order=order, _as=name), _as=name)
    scores = operate("mul", scores, _number(scores, features**-0.5 if scale is None else scale), _as=name)
    return operate("matmul", operate("softmax", scores, axis=-1, _as=name), value, _as=name)


def gumbel(name, logits):
    """Draws of Gumbel's distribution on top: in every type they lie between -5 and 105."""
    if not _is_followed(logits):
        return logits
    draw = operate("random_uniform", shape=list(logits.shape), dtype=_tensorvet.kind(logits), _as=name)
    steps = Steps(name, logits)
    return steps.add(logits, steps.sub(steps.mul(draw, 110.0), 5.0))

