"""Spaces: what an observation or an action looks like."""

import _tensorvet


class Space:
    shape, dtype = None, None

    def seed(self, seed=None):
        return []

    def contains(self, x):
        return _tensorvet.unknown("whether a space holds something", "bool")

    __contains__ = contains


class Box(Space):
    def __init__(self, low, high, shape=None, dtype="float32", seed=None):
        import numpy

        self.shape = tuple(shape) if shape is not None else numpy.shape(low)
        self.dtype = numpy.dtype(dtype)
        self.low = numpy.full(self.shape, low, self.dtype) if shape is not None else low
        self.high = numpy.full(self.shape, high, self.dtype) if shape is not None else high

    def sample(self, mask=None):
        import numpy

        return numpy.empty(self.shape, self.dtype)


class Discrete(Space):
    def __init__(self, n, seed=None, start=0):
        self.n, self.start, self.shape = n, start, ()

    def sample(self, mask=None):
        return _tensorvet.symbol("choice", self.start, self.start + self.n - 1, "a random choice")


class MultiDiscrete(Space):
    def __init__(self, nvec, dtype="int64", seed=None):
        self.nvec, self.shape = nvec, (len(nvec),)

    def sample(self, mask=None):
        import numpy

        return numpy.empty(self.shape, "int64")


class MultiBinary(Space):
    def __init__(self, n, seed=None):
        self.n, self.shape = n, (n,) if isinstance(n, int) else tuple(n)

    def sample(self, mask=None):
        import numpy

        return numpy.empty(self.shape, "int8")


class Dict(Space):
    def __init__(self, spaces=None, seed=None, **others):
        self.spaces = dict(spaces or {}, **others)

    def __getitem__(self, name):
        return self.spaces[name]

    def sample(self, mask=None):
        return {name: space.sample() for name, space in self.spaces.items()}


class Tuple(Space):
    def __init__(self, spaces, seed=None):
        self.spaces = tuple(spaces)

    def __getitem__(self, place):
        return self.spaces[place]

    def sample(self, mask=None):
        return tuple([space.sample() for space in self.spaces])
