"""Functions of layers."""

import _tensorvet
from _tensorvet import operate
from torch import _functions
from torch._functions import relu, sigmoid, tanh, softmax, log_softmax


def per_axis(value, axes):
    return list(value) if isinstance(value, (tuple, list)) else [value] * axes


def linear(input, weight, bias=None):
    product = operate("matmul", input, operate("transpose", weight), _as="linear")
    return product if bias is None else operate("add", product, bias, _as="linear")


def conv(axes, input, weight, bias, stride, padding, dilation, groups):
    name = "conv" + str(axes) + "d"
    unbatched = input.ndim == axes + 1
    if unbatched:
        input = _functions.unsqueeze(input, 0)
    _tensorvet.require("the input of " + name + " has a batch, channels and " + str(axes) + " spatial axes", input.ndim == axes + 2, "shape", input)
    kernel = list(weight.shape[2:])
    dilation = per_axis(dilation, axes)
    if padding == "same":
        total = [dilation[k] * (kernel[k] - 1) for k in range(axes)]
        pads = [each // 2 for each in total] + [each - each // 2 for each in total]
    else:
        pads = per_axis(0 if padding == "valid" else padding, axes) * 2
    result = operate("conv", input, weight, bias, stride=per_axis(stride, axes), padding=pads, dilation=dilation, groups=groups, _as=name)
    return _functions.squeeze(result, 0) if unbatched else result


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return conv(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return conv(2, input, weight, bias, stride, padding, dilation, groups)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    kernel = per_axis(kernel_size, 2)
    steps = kernel if stride is None or stride == [] else per_axis(stride, 2)
    return operate("max_pool", input, kernel=kernel, stride=steps, padding=per_axis(padding, 2) * 2, dilation=per_axis(dilation, 2), ceil_mode=ceil_mode, _outputs=1, _as="max_pool2d")[0]


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    kernel = per_axis(kernel_size, 2)
    steps = kernel if stride is None else per_axis(stride, 2)
    return operate("average_pool", input, kernel=kernel, stride=steps, padding=per_axis(padding, 2) * 2, ceil_mode=ceil_mode, _as="avg_pool2d")


def dropout(input, p=0.5, training=True, inplace=False):
    return input


dropout2d = dropout


def _reduced(loss, reduction):
    if reduction == "none":
        return loss
    return _functions.mean(loss) if reduction == "mean" else _functions.sum(loss)


def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    _tensorvet.require("targets of nll_loss are class indices (int64)", _tensorvet.kind(target) in (None, "i64", "u8"), "type", input, target)
    return operate("negative_log_likelihood_loss", input, target, reduction=reduction, _as="nll_loss")


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    if _tensorvet.kind(target) in ("f32", "f64", "f16", "bf16"):
        _tensorvet.require("`input` and probabilities have one shape", input.shape == target.shape, "shape", input, target)
        return _reduced(_functions.sum(_functions.mul(log_softmax(input, 1), target), 1), reduction)
    return operate("softmax_cross_entropy_loss", input, target, reduction=reduction, _outputs=1, _as="cross_entropy")[0]


def mse_loss(input, target, reduction="mean"):
    return _reduced(_functions.pow(_functions.sub(input, target), 2), reduction)
