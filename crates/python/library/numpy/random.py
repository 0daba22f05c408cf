"""Random arrays: shapes and types are known, values are not."""

import _tensorvet
from _tensorvet import made
from random import _between as random_between
from torch._rules import kind_of


def _made(kind, size):
    from numpy import _array, _sizes

    if size is None:
        return _tensorvet.unknown("a random number", "int" if kind == "i64" else "float")
    return _array(made(kind, _sizes(size)))


def seed(*arguments):
    return None


def rand(*sizes):
    return _made("f64", sizes if sizes else None)


randn = rand


def random(size=None, **options):
    return _made("f64", size)


random_sample = ranf = sample = random


def randint(low, high=None, size=None, dtype=None, endpoint=False):
    low, high = (0, low) if high is None else (low, high)
    high = high if endpoint else high - 1
    if not isinstance(low, int) or not isinstance(high, int) or _tensorvet.is_unknown(low) or _tensorvet.is_unknown(high):
        return _made("i64", size)
    if low > high:
        raise ValueError("low >= high")
    return _between(low, high, size)


def _between(low, high, size):
    if size is None:
        return random_between(low, high)
    drawn = _made("i64", size)
    drawn._tensor = _tensorvet.between(drawn._tensor, low, high)
    return drawn


def uniform(low=0.0, high=1.0, size=None):
    return _spread((low, high), size)


def normal(loc=0.0, scale=1.0, size=None):
    return _spread((loc, scale), size)


def _spread(parameters, size):
    """A size that is told, or that of the parameters."""
    from numpy import _array, _tensor_of, ndarray

    given = [_tensor_of(each) for each in parameters if isinstance(each, (ndarray, list, tuple))]
    if size is None and given:
        return _array(_tensorvet.broadcast("f64", given, "random"))
    return _made("f64", size)


laplace = gumbel = logistic = lognormal = beta = gamma = uniform
standard_normal = random


def exponential(scale=1.0, size=None):
    return _spread((scale,), size)


poisson = lambda lam=1.0, size=None: _made("i64", size)
binomial = lambda n, p, size=None: _made("i64", size)
integers = randint


def permutation(x):
    from numpy import _array, _tensor_of
    from torch._rules import like

    return _made("i64", [x]) if isinstance(x, int) else _array(like(_tensor_of(x)))


def shuffle(x):
    return None


def choice(a, size=None, replace=True, p=None, **options):
    from numpy import _array, _tensor_of

    if isinstance(a, int):
        return _made("i64", size) if _tensorvet.is_unknown(a) else _between(0, a - 1, size)
    if isinstance(a, (list, tuple)) and (not a or not isinstance(a[0], (int, float))):
        return _tensorvet.unknown("a random choice")
    tensor = _tensor_of(a)
    return _tensorvet.unknown("a random choice", "int" if kind_of(tensor) == "i64" else "float") if size is None else _array(made(kind_of(tensor), size if isinstance(size, (tuple, list)) else [size]))


def multivariate_normal(mean, cov, size=None, **options):
    from numpy import _sizes, _tensor_of

    return _made("f64", ([] if size is None else _sizes(size)) + [_tensor_of(mean).shape[0]])


def dirichlet(alpha, size=None):
    from numpy import _sizes, _tensor_of

    return _made("f64", ([] if size is None else _sizes(size)) + [_tensor_of(alpha).shape[0]])


def get_state(*arguments, **options):
    return ("MT19937",)


set_state = seed


class Generator:
    """The same functions on an object."""

    def __init__(self, *arguments):
        pass

    def __getattr__(self, name):
        from numpy import random

        return getattr(random, name)


RandomState = default_rng = Generator
