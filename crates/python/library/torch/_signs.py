"""What signs between tensors, and before one, call."""

import _tensorvet
from torch import _functions as f
from torch._in_place import changed


def _operator(name, function, swapped=False):
    """A sign between two operands; what is neither tensor nor number is somebody else's to add."""

    def method(self, other):
        if _tensorvet.is_open(other):
            return _tensorvet.unknown("an operation with something unknown")
        if not _tensorvet.is_tensor(other) and not isinstance(other, (int, float, complex)):
            return NotImplemented
        return function(other, self) if swapped else function(self, other)

    return _tensorvet.named(name, method)


def _augmented(name, function):
    def method(self, other):
        return changed(self, name, function(self, other))

    return _tensorvet.named(name, method)


def _before(name, function):
    def method(self, *arguments):
        return function(self, *arguments)

    return _tensorvet.named(name, method)


_TWO = {"add": f.add, "sub": f.sub, "mul": f.mul, "truediv": f.div, "floordiv": f.floor_divide, "mod": f.remainder, "pow": f.pow, "and": f.bitwise_and, "or": f.bitwise_or, "xor": f.bitwise_xor, "lshift": f.bitwise_left_shift, "rshift": f.bitwise_right_shift}

# Methods of tensors by their names.
SIGNS = {}
for _name, _function in _TWO.items():
    SIGNS["__" + _name + "__"] = _operator(_name, _function)
    SIGNS["__r" + _name + "__"] = _operator(_name, _function, True)
    if not _name.endswith("shift"):
        SIGNS["__i" + _name + "__"] = _augmented(_name, _function)
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    SIGNS["__" + _name + "__"] = _operator(_name, getattr(f, _name))
for _name, _function in {"neg": f.neg, "pos": f.positive, "invert": f.bitwise_not, "abs": f.abs, "matmul": f.matmul}.items():
    SIGNS["__" + _name + "__"] = _before(_name, _function)
SIGNS["__rmatmul__"] = lambda self, other: f.matmul(other, self)

_times = SIGNS["__rmul__"]


def _repeated(self, other):
    # A tensor of one integer says how often a sequence is repeated.
    if not _tensorvet.is_unknown(other) and isinstance(other, (list, tuple, str)):
        return other * self.__index__()
    return _times(self, other)


SIGNS["__rmul__"] = _tensorvet.named("mul", _repeated)
