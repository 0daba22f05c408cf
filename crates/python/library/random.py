"""Draws: what comes out is not known, only its bounds."""

import _tensorvet


def _float(reason="a random number"):
    return _tensorvet.unknown(reason, "float")


class Random:
    def __init__(self, seed=None):
        return None

    def seed(self, *arguments, **options):
        return None

    def getstate(self):
        return ()

    def setstate(self, state):
        return None

    def random(self):
        return _float()

    def uniform(self, a, b):
        return _float()

    def gauss(self, mu=0.0, sigma=1.0):
        return _float()

    normalvariate = lognormvariate = vonmisesvariate = betavariate = gammavariate = weibullvariate = gauss

    def expovariate(self, lambd=1.0):
        return _float()

    paretovariate = expovariate

    def triangular(self, low=0.0, high=1.0, mode=None):
        return _float()

    def getrandbits(self, k):
        return _tensorvet.unknown("random bits", "int")

    def randbytes(self, n):
        return _tensorvet.unknown("random bytes", "bytes")

    def randint(self, a, b):
        if a > b:
            raise ValueError(f"empty range for randrange() ({a}, {b + 1}, {b + 1 - a})")
        return _between(a, b)

    def randrange(self, start, stop=None, step=1):
        if stop is None:
            start, stop = 0, start
        if step > 0 and stop <= start:
            raise ValueError(f"empty range for randrange() ({start}, {stop}, {stop - start})")
        return _between(start, stop - 1) if step == 1 else _tensorvet.unknown("a random number", "int")

    def choice(self, values):
        if len(values) == 0:
            raise IndexError("Cannot choose from an empty sequence")
        return _one_of(values)

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        return [self.choice(population) for _ in range(k)]

    def sample(self, population, k, *, counts=None):
        if k > len(population):
            raise ValueError("Sample larger than population or is negative")
        population = list(population)
        return [_one_of(population) for _ in range(k)]

    def shuffle(self, values):
        before = list(values)
        for place in range(len(before)):
            values[place] = _one_of(before)


class SystemRandom(Random):
    pass


def _between(low, high):
    if _tensorvet.decided(low == high) is True:
        return low
    if _tensorvet.is_number(low) and _tensorvet.is_number(high):
        return _tensorvet.symbol("random", low, high, "a random draw", "data")
    # Bounds that are part of the number need no fact of their own.
    return max(low, min(high, _tensorvet.symbol("random", low, 2147483646, "a random draw")))


def _one_of(values):
    """Some element: of elements that are alike, something like them."""
    if _tensorvet.is_number(len(values)) and isinstance(values, (list, tuple)) and len(values) > 0:
        like = _alike(list(values))
        if like is not None:
            return like
    return values[_between(0, len(values) - 1)]


def _alike(values):
    first = values[0]
    # Whether numbers are the same is not asked: they may be drawn, too.
    for kind in (bool, int, float):
        if len([value for value in values if _tensorvet.decided(isinstance(value, kind)) is True]) == len(values):
            return _number_alike(values) if kind is int else _tensorvet.unknown("a random draw", kind.__name__)
    if len([value for value in values if value is first]) == len(values):
        return first
    kind = type(first)
    if _tensorvet.is_unknown(first) or len([value for value in values if not _tensorvet.is_unknown(value) and type(value) is kind]) != len(values):
        return None
    if _tensorvet.is_tensor(first):
        same = [value for value in values if _tensorvet.kind(value) == _tensorvet.kind(first) and _tensorvet.shape(value) == _tensorvet.shape(first)]
        return _tensorvet.given(_tensorvet.kind(first), _tensorvet.shape(first)) if len(same) == len(values) else None
    if hasattr(first, "_tensor"):
        from numpy import _array

        like = _alike([value._tensor for value in values])
        return None if like is None else _array(like)
    if isinstance(first, tuple) and len([value for value in values if len(value) == len(first)]) == len(values):
        parts = [_alike([value[place] for value in values]) for place in range(len(first))]
        if len([part for part in parts if part is not None]) == len(parts):
            return kind(*parts) if hasattr(first, "_fields") else tuple(parts)
    return None


def _number_alike(values):
    """An integer between the least and the greatest."""
    bounds = _tensorvet.hull(values)
    return _tensorvet.unknown("a random draw", "int") if bounds is None else _between(*bounds)


_shared = Random()
seed, getstate, setstate, random, uniform, gauss = (
    _shared.seed, _shared.getstate, _shared.setstate, _shared.random, _shared.uniform, _shared.gauss
)
normalvariate, expovariate, betavariate, triangular = (
    _shared.normalvariate, _shared.expovariate, _shared.betavariate, _shared.triangular
)
lognormvariate, gammavariate, vonmisesvariate = _shared.gauss, _shared.gauss, _shared.gauss
randint, randrange, choice, choices, sample, shuffle, getrandbits = (
    _shared.randint, _shared.randrange, _shared.choice, _shared.choices, _shared.sample, _shared.shuffle, _shared.getrandbits
)
