"""Methods that end in `_`: they change the tensor itself, which keeps its type and, but for a few, its shape."""

import builtins

import _tensorvet
from _tensorvet import require
from torch._rules import kind_of, like

# Functions with a form that changes the tensor; those of a test keep the tensor's type.
IN_PLACE = set(
    "abs absolute acos acosh add addbmm addcdiv addcmul addmm addmv addr arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2 atanh baddbmm bitwise_and "
    "bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor ceil clamp clamp_max clamp_min clip conj_physical copysign cos cosh cumprod cumsum deg2rad digamma div "
    "divide eq erf erfc erfinv exp exp2 expm1 fix float_power floor floor_divide fmod frac gcd ge greater greater_equal gt heaviside hypot i0 igamma igammac index_add index_copy "
    "index_fill index_put index_reduce lcm ldexp le lerp less less_equal lgamma log log10 log1p log2 logical_and logical_not logical_or logical_xor logit lt masked_fill "
    "masked_scatter mul multiply mvlgamma nan_to_num ne neg negative nextafter not_equal polygamma pow put rad2deg reciprocal relu remainder renorm round rsqrt scatter scatter_add "
    "scatter_reduce sgn sigmoid sign sin sinc sinh sqrt square sub subtract tan tanh tril triu true_divide trunc xlogy".split()
)
_TESTS = set("eq ne lt le gt ge greater greater_equal less less_equal not_equal logical_and logical_not logical_or logical_xor".split())
# Functions that change the tensor's shape, too.
RESHAPING = set("squeeze unsqueeze transpose t swapaxes swapdims as_strided".split())


# What looks at sizes before it looks at types.
_SIZES_FIRST = set("bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift gcd lcm".split())


def changeable(self):
    """States that a tensor may be changed in place: not while gradients are computed for it."""
    if _tensorvet.is_guarded(self):
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")


def changed(self, name, result):
    """Puts a result into the tensor, which keeps its type and shape."""
    if not _tensorvet.is_tensor(result):
        return result
    if _tensorvet.put_in_place(self, result) is not None:
        return self
    changeable(self)
    kind, new = kind_of(self), kind_of(result)
    fits = name in _TESTS or kind is None or new is None or _tensorvet.can_cast(new, kind)
    require("the tensor can hold the result of `" + name + "_`, which is " + str(new), fits, "type", self)
    if name == "float_power":
        require("`float_power_` gives float64 or complex128", kind == new, "type", self)
    # `addbmm_` alone lets the tensor grow.
    require("`" + name + "_` keeps the shape of the tensor", result.shape == self.shape or name == "addbmm", "shape", self, result)
    if name in ("abs", "absolute"):
        require("`abs_` cannot turn complex numbers into real ones", kind not in ("c64", "c128"), "type", self)
    overlap = self._strides is not None and builtins.any([step == 0 and size > 1 for step, size in zip(self._strides, self.shape)])
    require("elements that share memory are not changed in place: clone() first", not overlap, "layout", self)
    return _tensorvet.replace(self, result if kind == new else like(result, kind))


class InPlace:
    def __init__(self, tensor, name, function):
        self.tensor, self.name, self.function = tensor, name, function

    def __call__(self, *arguments, **options):
        if "out" in options:
            raise TypeError(self.name + "_() takes no `out`")
        kind = options.get("dtype")
        require("a result of another type does not fit the tensor", kind is None or kind is self.tensor.dtype, "type", self.tensor, raises=TypeError)
        if self.name in _SIZES_FIRST and arguments and _tensorvet.is_tensor(arguments[0]):
            joint = _tensorvet.broadcast(kind_of(self.tensor), [self.tensor, arguments[0]], self.name)
            require("`" + self.name + "_` keeps the shape of the tensor", joint.shape == self.tensor.shape, "shape", self.tensor, arguments[0])
        return changed(self.tensor, self.name, self.function(self.tensor, *arguments, **options))


class Reshaping(InPlace):
    def __call__(self, *arguments, **options):
        changeable(self.tensor)
        result = self.function(self.tensor, *arguments, **options)
        self.tensor._strides = result._strides
        return _tensorvet.replace(self.tensor, result)


class Changing:
    """A function that changes a tensor in a way that is not modelled: its shape and type stay."""

    def __init__(self, tensor, name):
        self.tensor, self.name = tensor, name

    def __call__(self, *arguments, **options):
        changeable(self.tensor)
        _tensorvet.unknown("`Tensor." + self.name + "` is not modelled")
        return _tensorvet.replace(self.tensor, like(self.tensor))
