"""Normalisation over batches, groups, layers and instances."""

import _tensorvet
from _tensorvet import count, once, require
from torch import _functions as f
from torch import _values
from torch._rules import accept, channels_before, common_kind, computed, kind_of, letter, like
from torch._types import floated


# The distance from 1 to the next number.
_EPSILON = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23, "f64": 2.0**-52}


def _per_channel(name, channels, input, **vectors):
    """Vectors with a number per channel."""
    for word, vector in vectors.items():
        if vector is not None:
            require("`" + word + "` of `" + name + "` has one value per channel", _tensorvet.any_is(input.shape, 0) or count(vector.shape) == channels, "shape", input, vector)


def _several_values(input):
    """In training, a channel has more than one value."""
    sizes = [size for place, size in enumerate(input.shape) if place != 1]
    require("batch statistics need more than one value per channel", not _tensorvet.all_are(sizes, 1), "shape", input, raises=ValueError)


def _over_batch(input, running_mean, running_var, weight, bias, training, eps):
    """What normalisation over a batch asks for; whether its definition covers it, and else the type of the result."""
    if input.ndim > 0 and _tensorvet.any_is(input.shape, 0) and (input.ndim == 1 or input.shape[1] == 0 or letter(input) in "bi"):
        # Nothing to normalise: what is left is a product with the parameters.
        return False, common_kind(input, *[each for each in (weight, bias) if each is not None])
    require("`batch_norm` takes a batch with channels", input.ndim >= 2, "shape", input)
    channels_before(input.ndim - 2, input)
    require("`eps` is positive in training", not training or eps > 0, "value", input, raises=ValueError)
    if training:
        _several_values(input)
    else:
        require("running statistics are given outside training", running_mean is not None and running_var is not None, "value", input)
    accept("batch_norm", "hf", input)
    require("there are channels", input.shape[1] > 0, "shape", input)
    if not _tensorvet.are_vectors((weight, bias, running_mean, running_var), kind_of(input), input.shape[1]):
        _per_channel("batch_norm", input.shape[1], input, running_mean=running_mean, running_var=running_var, weight=weight, bias=bias)
        for each in (running_mean, running_var):
            require("running statistics are vectors", each is None or each.ndim == 1, "shape", input)
        for each in (weight, bias, running_mean, running_var):
            if each is not None:
                fits = kind_of(each) == kind_of(input) or (letter(input) == "h" and kind_of(each) == "f32")
                require("the statistics of `batch_norm` have the type of `input`", fits, "type", input, each)
    if training or weight is None or bias is None or weight.ndim != 1 or bias.ndim != 1 or kind_of(weight) != kind_of(input):
        return False, kind_of(input)
    return True, None


def batch_norm(input: Duck, running_mean: Tensor | None, running_var: Tensor | None, weight: Tensor | None = None, bias: Tensor | None = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5):
    rule = once(_over_batch, input, running_mean, running_var, weight, bias, training, eps)
    if _tensorvet.is_unknown(rule):
        return rule
    is_covered, kind = rule
    if not is_covered:
        if training and input.ndim >= 2 and kind == kind_of(input):
            shape = [1, input.shape[1]] + [1] * (input.ndim - 2)
            return _values.standardised("batch_norm", input, [place for place in range(input.ndim) if place != 1], eps, weight, bias, shape, like(input, kind))
        return like(input, kind)
    outputs = computed("batch_normalization", like(input), input, weight, bias, running_mean, running_var, epsilon=eps, _outputs=1, _as="batch_norm")
    return outputs[0] if isinstance(outputs, tuple) else outputs


def instance_norm(input: Duck, running_mean: Tensor | None = None, running_var: Tensor | None = None, weight: Tensor | None = None, bias: Tensor | None = None, use_input_stats: bool = True, momentum: float = 0.1, eps: float = 1e-5):
    require("`instance_norm` takes a batch with channels", input.ndim >= 2, "shape", input, raises=ValueError)
    if use_input_stats:
        require("`instance_norm` takes spatial axes", input.ndim >= 3, "shape", input, raises=ValueError)
        require("statistics of an instance need more than one value per channel", count(input.shape[2:]) != 1, "shape", input, raises=ValueError)
    else:
        require("running statistics are given where the input's are not used", running_mean is not None and running_var is not None, "value", input)
    require("both running statistics are given, or none", (running_mean is None) == (running_var is None), "value", input, raises=ValueError)
    accept("instance_norm", "hf", input)
    for each in (running_mean, running_var, weight, bias):
        require("statistics and parameters are vectors", each is None or each.ndim <= 1, "shape", input)
    _per_channel("instance_norm", input.shape[1], input, running_mean=running_mean, running_var=running_var, weight=weight, bias=bias)
    for each in (weight, bias):
        if each is not None:
            require("the parameters of `instance_norm` have the type of `input`", kind_of(each) == kind_of(input) or (letter(input) == "h" and kind_of(each) == "f32"), "type", input, each)
    if not use_input_stats:
        return like(input)
    shape = [1, input.shape[1]] + [1] * (input.ndim - 2)
    return _values.standardised("instance_norm", input, list(range(2, input.ndim)), eps, weight, bias, shape, like(input))


def _last_axes(name, input, normalized_shape, *parameters):
    require("`normalized_shape` names at least one axis", len(normalized_shape) > 0, "value", input)
    for each in parameters:
        if each is not None:
            require("the parameters of `" + name + "` have the normalised shape", tuple(each.shape) == tuple(normalized_shape), "shape", input, each)
    number = len(normalized_shape)
    require("the last axes of `input` are the normalised ones", input.ndim >= number and tuple(input.shape[input.ndim - number :]) == tuple(normalized_shape), "shape", input)


def layer_norm(input: Tensor, normalized_shape: ints, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5):
    _last_axes("layer_norm", input, normalized_shape, weight, bias)
    accept("layer_norm", "hf", input)
    for each in (weight, bias):
        if each is not None:
            require("the parameters of `layer_norm` have the type of `input`", kind_of(each) == kind_of(input) or (letter(input) == "h" and kind_of(each) == "f32"), "type", input, each)
    if _tensorvet.follows_values():
        rank = input.ndim
        return _values.standardised("layer_norm", input, list(range(rank - len(normalized_shape), rank)), eps, weight, bias, normalized_shape, like(input))
    if weight is None or kind_of(weight) != kind_of(input) or (bias is not None and kind_of(bias) != kind_of(input)):
        return like(input)
    outputs = computed("layer_normalization", like(input), input, weight, bias, axis=-len(normalized_shape), epsilon=eps, _outputs=1, _as="layer_norm")
    return outputs[0] if isinstance(outputs, tuple) else outputs


def rms_norm(input: Tensor, normalized_shape: ints, weight: Tensor | None = None, eps: float | None = None):
    _last_axes("rms_norm", input, normalized_shape, weight)
    accept("rms_norm", "hfc", input)
    rank = input.ndim
    least = _EPSILON.get(kind_of(input)) if eps is None else eps
    return _values.scaled_by_root_mean_square("rms_norm", input, list(range(rank - len(normalized_shape), rank)), least, weight, normalized_shape, like(input))


def group_norm(input: Duck, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5):
    require("`group_norm` takes a batch with channels", input.ndim >= 2, "shape", input)
    require("there is at least one group", num_groups > 0, "value", input)
    channels = input.shape[1]
    require("the groups share the channels evenly", channels % num_groups == 0, "value", input)
    for size in input.shape[1:]:
        require("there are channels, and each has values", size > 0, "shape", input)
    require("statistics of a group need more than one value", count([input.shape[0] * channels // num_groups, *input.shape[2:]]) != 1, "shape", input, raises=ValueError)
    accept("group_norm", "hf", input, raises=RuntimeError)
    _per_channel("group_norm", channels, input, weight=weight, bias=bias)
    for each in (weight, bias):
        require("the parameters of `group_norm` are vectors", each is None or each.ndim == 1, "shape", input)
    for each in (weight, bias):
        if each is not None:
            require("the parameters of `group_norm` have the type of `input`", kind_of(each) == kind_of(input) or (letter(input) == "h" and kind_of(each) == "f32"), "type", input, each)
    if not _tensorvet.follows_values():
        return like(input)
    # Each group is normalised as an instance with one channel.
    sizes = list(input.shape)
    groups = f.reshape(input, [sizes[0], num_groups, -1])
    given = f.reshape(_values.standardised("group_norm", groups, [2], eps, None, None, [], like(groups)), sizes)
    shape = [1, channels] + [1] * (input.ndim - 2)
    given = given if weight is None else f.mul(given, f.reshape(weight, shape))
    return given if bias is None else f.add(given, f.reshape(bias, shape))


def local_response_norm(input: Duck, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0):
    require("`local_response_norm` takes three axes or more", input.ndim >= 3, "shape", input, raises=ValueError)
    if _tensorvet.any_is(input.shape, 0):
        return like(input)
    accept("local_response_norm", "f", input, also=("i64",))
    require("the window over the channels is positive", size > 0, "value", input)
    return like(input, floated(kind_of(input)))


def normalize(input: Duck, p: float = 2.0, dim=1, eps: float = 1e-12, out: Tensor | None = None):
    accept("normalize", "hfc", input)
    f.norm(input, p, dim, True)
    return _values.normalised("normalize", input, p, [place % input.ndim for place in ([dim] if isinstance(dim, int) else dim)] if input.ndim > 0 else [], eps, like(input))
