"""Initial values: shapes stay, some need matrices."""

import _tensorvet
from _tensorvet import require
from torch._rules import accept, kind_of, like

_GAINS = ("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "sigmoid", "tanh", "relu", "leaky_relu", "selu")


def _filled(tensor, name, letters="bihfc", within=None):
    """The tensor with other elements, which lie between two numbers if these are known."""
    if _tensorvet.is_unknown(tensor):
        return tensor
    if not _tensorvet.is_tensor(tensor):
        raise TypeError(name + "() takes a tensor")
    accept(name, letters, tensor)
    given = like(tensor)
    if within is not None and _tensorvet.follows_values() and not any([_tensorvet.is_unknown(end) for end in within]):
        given = _tensorvet.starting(given, within[0], within[1])
    return _tensorvet.replace(tensor, given)


# Draws from a normal distribution lie within so many deviations.
_DEVIATIONS = 8.0


def _normal(mean, std):
    return mean - _DEVIATIONS * std, mean + _DEVIATIONS * std


def _numbers(tensor):
    """How many numbers go into one of the next layer, and out of one; None where sizes are not known."""
    shape = list(tensor.shape)
    if len(shape) < 2 or not _tensorvet.all_ints(shape) or 0 in shape:
        return None
    field = 1
    for size in shape[2:]:
        field = field * size
    return shape[1] * field, shape[0] * field


def _fans(tensor, name):
    if not _tensorvet.is_tensor(tensor) and not _tensorvet.is_unknown(tensor):
        raise TypeError(name + "() takes a tensor")
    require("fan in and fan out need two axes", tensor.ndim >= 2, "shape", tensor, raises=ValueError)


def calculate_gain(nonlinearity, param=None):
    require("the nonlinearity is one that is known", nonlinearity in _GAINS, "value", raises=ValueError)
    return {"tanh": 5.0 / 3, "relu": 2.0**0.5, "selu": 0.75}.get(nonlinearity, 1.0)


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator=None):
    require("numbers lie between two bounds, the lower first", a <= b, "value", tensor)
    return _filled(tensor, "uniform_", "hfc", (a, b))


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator=None):
    require("a deviation is not negative", std >= 0, "value", tensor)
    return _filled(tensor, "normal_", "hfc", _normal(mean, std))


def trunc_normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator=None):
    return _filled(tensor, "trunc_normal_", "hf", (a, b))


def constant_(tensor: Duck, val: Number):
    require("a complex number goes into a complex tensor", not isinstance(val, complex) or kind_of(tensor) in ("c64", "c128"), "type", tensor)
    return _filled(tensor, "constant_", within=None if isinstance(val, complex) else (val, val))


def ones_(tensor: Tensor):
    return _filled(tensor, "ones_", within=(1.0, 1.0))


def zeros_(tensor: Tensor):
    return _filled(tensor, "zeros_", within=(0.0, 0.0))


def eye_(tensor: Duck):
    require("`eye_` takes a matrix", tensor.ndim == 2, "shape", tensor, raises=ValueError)
    return _filled(tensor, "eye_", within=(0.0, 1.0))


def dirac_(tensor: Duck, groups: int = 1):
    require("`dirac_` takes a weight of a convolution", tensor.ndim in (3, 4, 5), "shape", tensor, raises=ValueError)
    require("the groups share the filters evenly", groups != 0 and tensor.shape[0] % groups == 0, "value", tensor, raises=ValueError)
    return _filled(tensor, "dirac_", within=(0.0, 1.0))


def xavier_uniform_(tensor: Duck, gain: float = 1.0, generator=None):
    _fans(tensor, "xavier_uniform_")
    require("the gain is not negative", gain >= 0, "value", tensor)
    numbers = _numbers(tensor)
    most = None if numbers is None else gain * (6.0 / (numbers[0] + numbers[1])) ** 0.5
    return _filled(tensor, "xavier_uniform_", "hfc", None if most is None else (-most, most))


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator=None):
    _fans(tensor, "xavier_normal_")
    numbers = _numbers(tensor)
    return _filled(tensor, "xavier_normal_", "hfc", None if numbers is None else _normal(0.0, gain * (2.0 / (numbers[0] + numbers[1])) ** 0.5))


def _kaiming(name):
    def function(tensor: Duck, a=0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator=None):
        if 0 in tensor.shape:
            return tensor
        require("`mode` is 'fan_in' or 'fan_out'", mode.lower() in ("fan_in", "fan_out"), "value", tensor, raises=ValueError)
        _fans(tensor, name)
        gain = calculate_gain(nonlinearity) if nonlinearity != "leaky_relu" else (2.0 / (1 + a * a)) ** 0.5
        numbers = _numbers(tensor)
        if numbers is None:
            return _filled(tensor, name, "hfc")
        std = gain / numbers[0 if mode.lower() == "fan_in" else 1] ** 0.5
        return _filled(tensor, name, "hfc", _normal(0.0, std) if "normal" in name else (-(3.0**0.5) * std, 3.0**0.5 * std))

    return _tensorvet.named(name, function)


kaiming_uniform_, kaiming_normal_ = _kaiming("kaiming_uniform_"), _kaiming("kaiming_normal_")


def orthogonal_(tensor: Duck, gain: float = 1, generator=None):
    _fans(tensor, "orthogonal_")
    return _filled(tensor, "orthogonal_", "fc", (-1.001 * gain, 1.001 * gain))


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator=None):
    require("`sparse_` takes a matrix", tensor.ndim == 2, "shape", tensor, raises=ValueError)
    return _filled(tensor, "sparse_", "hf", _normal(0.0, std))
