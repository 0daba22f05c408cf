"""One thing changed in a call of a layer that Keras accepts.

Promises changes that are the same for the same draw and know nothing of what is legal: an argument drawn again or left
out, a size, an axis or a type of an input, one of the things that a call is given by name, the shape of a weight.
Most of them break one rule and no other, so what Keras says is about that rule.
"""

import inspect

import numpy
from keras_draws import pool_of, values

KINDS = ["argument"] * 4 + ["left out", "size", "size", "axis", "axis", "type", "by name", "by name", "weight"]


class Stray:
    def __init__(self, cls, draw):
        self.cls, self.draw, self.kind = cls, draw, draw.choice(KINDS)

    def change_arguments(self, drawn):
        if self.kind == "argument":
            names = inspect.signature(self.cls.__init__).parameters
            pools = {name: pool for name in names if (pool := pool_of(self.cls, name)[0])}
            if pools:
                name = self.draw.choice(sorted(pools))
                drawn[name] = pools[name](self.draw)
        elif self.kind == "left out" and drawn:
            del drawn[self.draw.choice(sorted(drawn))]

    def change_inputs(self, given):
        if self.kind in ("size", "axis"):
            at = self.draw.randrange(len(given))
            given[at] = self.tensor(given[at].shape, self.kind)
        elif self.kind == "type":
            at = self.draw.randrange(len(given))
            is_float = given[at].dtype.kind == "f"
            given[at] = given[at].astype(self.draw.choice(["int32", "float64"])) if is_float else given[at] * numpy.float32(0.5)

    def change_call(self, more):
        """What is given by name: left out, or of another shape, or one of several left out."""
        if self.kind != "by name" or not more:
            return
        name = self.draw.choice(sorted(more))
        value = more[name]
        if not isinstance(value, (list, numpy.ndarray)) or self.draw.random() < 0.2:
            del more[name]
        elif isinstance(value, numpy.ndarray):
            more[name] = self.other(value)
        elif self.draw.random() < 0.4:
            value.pop()
        else:
            at = self.draw.randrange(len(value))
            value[at] = self.other(value[at])

    def weight(self, names):
        """Which weight is given another shape, if one is."""
        return self.draw.randrange(len(names)) if self.kind == "weight" and names else None

    def reshaped(self, weight):
        return numpy.ones(self.shape(weight.shape, self.draw.choice(["size", "axis"])), "float32")

    def other(self, tensor):
        shape = self.shape(tensor.shape, self.draw.choice(["size", "axis"]))
        return numpy.resize(tensor, shape).astype(tensor.dtype)

    def tensor(self, shape, kind):
        return values(self.shape(shape, kind), self.draw, self.cls)

    def shape(self, shape, kind):
        """That shape with another size, or with another number of axes."""
        shape = list(shape)
        if kind == "axis" or not shape:
            chance = self.draw.random()
            if chance < 0.15:
                return []
            at = self.draw.randrange(len(shape) + 1)
            if chance < 0.6 and at < len(shape):
                return shape[:at] + shape[at + 1 :]
            return shape[:at] + [self.draw.choice([1, 2])] + shape[at:]
        at = self.draw.randrange(len(shape))
        shape[at] = self.draw.choice([size for size in (0, 1, 2, 3, 4, 5, 6) if size != shape[at]])
        return shape
