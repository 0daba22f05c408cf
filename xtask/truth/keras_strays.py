"""One thing changed in a call of a layer that Keras accepts.

Promises changes that are the same for the same draw and turn and know nothing of what is legal: an argument drawn again,
bent or left out, a size, an axis or a type of an input, one of the things that a call is given by name, the shape of a
weight. Most of them break one rule and no other, so what Keras says is about that rule. The arguments of a layer take
turns, so that each of them is changed.
"""

import inspect
import string

import keras
import numpy
from keras_draws import WORDS, inherits, others, pool_of, values

KINDS = """argument size argument by-name argument axis argument left-out argument type argument by-name argument size
argument weight argument by-name""".split()
ARGUMENTS = KINDS.count("argument")


def pools_of(cls):
    names = list(inspect.signature(cls.__init__).parameters)
    if "data_format" not in names and inherits(cls, "data_format"):
        names.append("data_format")
    return {name: pool for name in names if (pool := pool_of(cls, name)[0])}


class Stray:
    def __init__(self, cls, draw, turn):
        """`turn` is how many changes the layer had before."""
        self.cls, self.draw, self.kind = cls, draw, KINDS[turn % len(KINDS)]
        self.round = turn // len(KINDS)
        self.argument = self.round * ARGUMENTS + KINDS[: turn % len(KINDS)].count("argument")

    def change_arguments(self, drawn):
        parameters = inspect.signature(self.cls.__init__).parameters
        if self.kind == "argument":
            pools = pools_of(self.cls)
            if pools:
                # What a layer computes by comes up more often than what only training looks at.
                turns = sorted(pools) + 2 * [name for name in sorted(pools) if name.rsplit("_", 1)[-1] not in WORDS]
                name = turns[self.argument % len(turns)]
                drawn[name] = self.another(drawn.get(name), pools[name], self.argument // len(turns))
        elif self.kind == "left-out" and drawn:
            required = [name for name in drawn if parameters[name].default is inspect.Parameter.empty] if set(drawn) <= set(parameters) else []
            names = required if required and self.round % 4 else sorted(drawn)
            del drawn[names[self.round % len(names)]]

    def another(self, present, pool, turn):
        """A value of the pool, or what is there, bent, in turns; what stays the same is tried again."""
        drawn = pool(self.draw)
        if turn % 2 == 0:
            drawn = self.bent(drawn if present is None else present)
        for _ in range(5):
            if drawn != present:
                break
            drawn = pool(self.draw)
        return drawn

    def bent(self, value):
        draw = self.draw
        if value is None:
            return value
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return draw.choice([0, -1, value + 1, value - 1, 2 * value, 7])
        if isinstance(value, float):
            return draw.choice([-0.5, 1.5, -value, 2 * value, 0.0])
        if isinstance(value, str):
            if draw.random() < 0.5 and "->" not in value:
                return "steep"
            at = draw.randrange(len(value))
            return value[:at] + draw.choice(["", *string.ascii_lowercase[:5]]) + value[at + 1 :]
        if isinstance(value, dict):
            config, pools = value["config"], pools_of(getattr(keras.layers, value["class_name"]))
            if not pools or draw.random() < 0.2:
                return [value, value]
            name = draw.choice(sorted(pools))
            return {**value, "config": {**config, name: self.another(config.get(name), pools[name], draw.randrange(2))}}
        chance, value = draw.random(), list(value)
        if not value or chance < 0.25:
            return value + [value[-1] if value else 1]
        if chance < 0.45:
            return value[:-1]
        if chance < 0.5:
            return []
        at = draw.randrange(len(value))
        value[at] = self.bent(value[at])
        return value

    def change_inputs(self, given):
        if self.kind in ("size", "axis"):
            at = self.draw.randrange(len(given))
            given[at] = self.tensor(given[at].shape, self.kind)
        elif self.kind == "type":
            at = self.draw.randrange(len(given))
            is_float = given[at].dtype.kind == "f"
            given[at] = given[at].astype(self.draw.choice(["int32", "float64"])) if is_float else given[at] * numpy.float32(0.5)

    def change_call(self, more, first, states, tensors):
        """What is given by name: left out, or of another shape, or one of several left out or given twice."""
        if self.kind != "by-name":
            return
        for _ in range(10):
            if any(name not in ("states", "value") for name in more):
                break
            more.update(others(self.cls, self.draw, first, states, tensors))
        if not more:
            return
        name = sorted(more)[self.round % len(more)]
        value = more[name]
        if not isinstance(value, (list, numpy.ndarray)) or self.draw.random() < 0.15:
            del more[name]
        elif isinstance(value, numpy.ndarray):
            more[name] = self.other(value)
        elif value and (chance := self.draw.random()) < 0.4:
            value.append(value[-1]) if chance < 0.15 else value.pop()
        elif value:
            at = self.draw.randrange(len(value))
            value[at] = self.other(value[at])

    def weight(self, names):
        """Which weight is given another shape, if one is."""
        return self.draw.randrange(len(names)) if self.kind == "weight" and names else None

    def reshaped(self, weight):
        return numpy.ones(self.shape(weight.shape, self.draw.choice(["size", "axis"])), "float32")

    def other(self, tensor):
        shape = self.shape(tensor.shape, self.draw.choice(["size", "size", "axis"]))
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
            if chance < 0.25:
                return shape[-1:]
            at = self.draw.randrange(len(shape) + 1)
            if chance < 0.6 and at < len(shape):
                return shape[:at] + shape[at + 1 :]
            return shape[:at] + [self.draw.choice([1, 2])] + shape[at:]
        at = self.draw.randrange(len(shape))
        shape[at] = self.draw.choice([size for size in (0, 0, 1, 2, 3, 4, 5, 6) if size != shape[at]])
        return shape
