"""Pooling: windows that slide over the last axes."""

import builtins

import _tensorvet
from _tensorvet import count, made, once, operate, require
from torch import _elements
from torch._types import floated
from torch._rules import accept, channels_before, computed, kind_of, like, per_axis


def _pooled(operator, name, axes, input, sizes, kernel_size, stride, padding, dilation, ceil_mode, **parameters):
    """The operator on batched input; the sizes alone where it has no batch."""
    result = made(kind_of(input), sizes)
    if input.ndim != axes + 2:
        if not _elements.is_followed(input):
            return result
        # One sample is a batch of one.
        batched = _pooled(operator, name, axes, input.unsqueeze(0), (1, *sizes), kernel_size, stride, padding, dilation, ceil_mode, **parameters)
        return (batched[0] if isinstance(batched, tuple) else batched).squeeze(0)
    kernel = per_axis(kernel_size, axes)
    steps = kernel if stride is None or (isinstance(stride, (list, tuple)) and len(stride) == 0) else per_axis(stride, axes)
    return computed(operator, result, input, kernel=kernel, stride=steps, padding=per_axis(padding, axes) * 2, dilation=per_axis(dilation, axes), ceil_mode=ceil_mode, _as=name, **parameters)


def _windowed(name, axes, input, kernel_size, stride, padding, dilation, ceil_mode):
    """The sizes after windows have slid over the last axes."""
    require("the input of " + name + " has channels and " + str(axes) + " spatial axes, batched or not", input.ndim in (axes + 1, axes + 2), "shape", input)
    channels_before(axes, input)
    kernel = per_axis(kernel_size, axes, "kernel_size")
    steps = kernel if stride is None or (isinstance(stride, (list, tuple)) and len(stride) == 0) else per_axis(stride, axes, "stride")
    pads, dilation = per_axis(padding, axes, "padding"), per_axis(dilation, axes, "dilation")
    shape = list(input.shape)
    for size in shape[1:]:
        require("no axis but the batch is empty", size > 0, "shape", input)
    if input.ndim == axes + 1:
        require("no axis but the batch is empty", shape[0] > 0, "shape", input)
    for place in range(axes):
        require("kernels, strides and dilations are positive", kernel[place] > 0 and steps[place] > 0 and dilation[place] > 0, "value")
        require("no padding is negative", pads[place] >= 0, "value")
        require("the padding is at most half of the kernel", pads[place] <= kernel[place] // 2, "value", input)
        size = shape[place - axes]
        reach = dilation[place] * (kernel[place] - 1) + 1
        room = size + 2 * pads[place] + (steps[place] - 1 if ceil_mode else 0)
        require("the kernel fits the padded input", reach <= room, "nothing", input)
        number = (room - reach) // steps[place] + 1
        # The last window starts inside the input or its left padding.
        if ceil_mode and (number - 1) * steps[place] >= size + pads[place]:
            number = number - 1
            require("the kernel fits the padded input", number > 0, "nothing", input)
        shape[place - axes] = number
    return tuple(shape)


def _max_pool(axes):
    name = "max_pool" + str(axes) + "d"

    def function(input: Tensor, kernel_size: ints1, stride: ints1 | None = None, padding: ints1 = 0, dilation: ints1 = 1, ceil_mode: bool = False, return_indices: truth = False):
        accept(name, "hf" if axes == 1 and not return_indices else "ihf", input)
        sizes = once(_windowed, name, axes, input, kernel_size, stride, padding, dilation, ceil_mode)
        if return_indices:
            return made(kind_of(input), sizes), made("i64", sizes)
        pooled = _pooled("max_pool", name, axes, input, sizes, kernel_size, stride, padding, dilation, ceil_mode, _outputs=1)
        return pooled[0] if isinstance(pooled, tuple) else pooled

    return _tensorvet.named(name, function)


max_pool1d, max_pool2d, max_pool3d = _max_pool(1), _max_pool(2), _max_pool(3)


def _pooled_average(name, axes, input, kernel_size, stride, padding, ceil_mode, include):
    accept(name, "f" if axes == 3 else "hf", input, also=("i64",))
    sizes = once(_windowed, name, axes, input, kernel_size, stride, padding, 1, ceil_mode)
    if axes == 3:
        for place, size in enumerate(per_axis(kernel_size, 3)):
            require("the input is not smaller than the kernel", input.shape[place - 3] >= size, "shape", input)
    return _pooled("average_pool", name, axes, input, sizes, kernel_size, stride, padding, 1, ceil_mode, count_include_pad=include)


def avg_pool1d(input: Tensor, kernel_size: ints1, stride: ints1 | None = (), padding: ints1 = 0, ceil_mode: bool = False, count_include_pad: bool = True):
    return _pooled_average("avg_pool1d", 1, input, kernel_size, stride, padding, ceil_mode, count_include_pad)


def _avg_pool(axes):
    name = "avg_pool" + str(axes) + "d"

    def function(input: Tensor, kernel_size: ints1, stride: ints1 | None = None, padding: ints1 = 0, ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None):
        require("the divisor is not 0", divisor_override is None or divisor_override != 0, "value", input)
        result = _pooled_average(name, axes, input, kernel_size, stride, padding, ceil_mode, count_include_pad)
        # Means by another number are no means of their own.
        return result if divisor_override is None or not _tensorvet.follows_values() else like(result)

    return _tensorvet.named(name, function)


avg_pool2d, avg_pool3d = _avg_pool(2), _avg_pool(3)


def _lp_pool(axes):
    name = "lp_pool" + str(axes) + "d"

    def function(input: Duck, norm_type: float, kernel_size: ints1, stride: ints1 | None = None, ceil_mode: bool = False):
        # Powers with a fraction are floating-point numbers, whatever they are powers of.
        accept(name, ("bif" if axes == 3 else "bihf") if isinstance(norm_type, float) else ("bf" if axes == 3 else "bhf"), input, also=("i64",))
        require("the order of the norm is not 0", norm_type != 0, "value", input, raises=ValueError)
        return made(floated(kind_of(input)), once(_windowed, name, axes, input, kernel_size, stride, 0, 1, ceil_mode))

    return _tensorvet.named(name, function)


lp_pool1d, lp_pool2d, lp_pool3d = _lp_pool(1), _lp_pool(2), _lp_pool(3)


def _adapted(name, axes, input, output_size):
    require("the input of " + name + " has channels and " + str(axes) + " spatial axes, batched or not", input.ndim in (axes + 1, axes + 2), "shape", input)
    channels_before(axes, input)
    shape = list(input.shape)
    if isinstance(output_size, (list, tuple)):
        require("`output_size` has one number per axis", len(output_size) == axes, "value", input)
        wanted = list(output_size)
    else:
        wanted = [output_size] * axes
    if output_size is None or isinstance(wanted[0], bool):
        raise TypeError(name + "(): `output_size` must be ints")
    for place in range(axes):
        size = shape[place - axes]
        require("no spatial axis is empty", size > 0 or "avg" in name, "shape", input)
        if wanted[place] is not None:
            if not isinstance(wanted[place], int):
                raise TypeError(name + "(): `output_size` must be ints")
            require("no output size is negative", wanted[place] >= 0, "value", input)
            shape[place - axes] = wanted[place]
    for size in shape[1 : -axes] if "max" in name else []:
        require("no axis but the batch is empty", size > 0, "shape", input)
    return shape


def _more_axes(input, output_size, axes):
    """States that there are more axes than sizes asked for, which PyTorch's Python code looks at first."""
    if axes > 1 and isinstance(output_size, (tuple, list)):
        require("the input has more axes than `output_size` has numbers", input.ndim > len(output_size), "shape", input, raises=ValueError)


def _adaptive_avg(axes):
    name = "adaptive_avg_pool" + str(axes) + "d"

    def function(input: Duck, output_size):
        _more_axes(input, output_size, axes)
        if axes > 1 and (output_size == 1 or output_size in ((1,) * axes, [1] * axes)) and input.ndim > axes:
            # One place for all: a mean over the last axes, whatever stands before them.
            accept(name, "hfc", input)
            if _elements.is_followed(input):
                return operate("reduce_mean", input, axes=[input.ndim - axes + place for place in range(axes)], keepdims=True, _as=name)
            return made(kind_of(input), [*input.shape[:-axes], *[1] * axes])
        if axes > 1 or count(input.shape) > 0:
            accept(name, "hf", input, also=("c64", "c128") if axes == 1 else ())
        if axes > 1:
            for size in input.shape[1:]:
                require("no axis but the batch is empty", size > 0, "shape", input)
        return _elements.between_some(made(kind_of(input), _adapted(name, axes, input, output_size)), input, name)

    return _tensorvet.named(name, function)


def _adaptive_max(axes):
    name = "adaptive_max_pool" + str(axes) + "d"

    def function(input: Duck, output_size, return_indices: truth = False):
        _more_axes(input, output_size, axes)
        accept(name, "hf", input)
        if output_size is None:
            raise TypeError(name + "() needs sizes")
        sizes = _adapted(name, axes, input, output_size)
        result = _elements.some_of(made(kind_of(input), sizes), input)
        return (result, made("i64", sizes)) if return_indices else result

    return _tensorvet.named(name, function)


adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d = _adaptive_avg(1), _adaptive_avg(2), _adaptive_avg(3)
adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d = _adaptive_max(1), _adaptive_max(2), _adaptive_max(3)


def _fractional(axes):
    name = "fractional_max_pool" + str(axes) + "d"

    def function(input: Duck, kernel_size, output_size=None, output_ratio=None, return_indices: truth = False, _random_samples: Tensor | None = None):
        require("`output_size` or `output_ratio` is given", output_size is not None or output_ratio is not None, "value", input, raises=ValueError)
        require("the input of " + name + " has channels and " + str(axes) + " spatial axes, batched or not", input.ndim in (axes + 1, axes + 2), "shape", input)
        accept(name, "hf", input)
        for each in (kernel_size, output_size):
            require("there is a number per axis", not isinstance(each, (tuple, list)) or len(each) == axes, "value", input)
            if isinstance(each, (bool, float)):
                raise TypeError(name + "() takes sizes that are ints")
        kernel = per_axis(kernel_size, axes, "kernel_size")
        shape = list(input.shape)
        if output_size is None:
            ratios = per_axis(output_ratio, axes, "output_ratio")
            wanted = [builtins.int(shape[place - axes] * ratios[place]) for place in range(axes)]
        else:
            wanted = per_axis(output_size, axes, "output_size")
        for place in range(axes):
            require("kernel and output fit the input", kernel[place] > 0 and wanted[place] > 0 and wanted[place] + kernel[place] - (1 if axes == 2 else 0) <= shape[place - axes], "value", input)
            shape[place - axes] = wanted[place]
        for size in input.shape[1:]:
            require("no axis but the batch is empty", size > 0, "shape", input)
        if _random_samples is not None:
            require("`_random_samples` has the element type of `input`", kind_of(_random_samples) == kind_of(input), "type", input, _random_samples)
            require("`_random_samples` has 3 axes: batch, channels and one of a number per spatial axis", _random_samples.ndim == 3, "shape", input, _random_samples)
            batch = input.shape[0] if input.ndim == axes + 2 else 1
            require("`_random_samples` has at least the batch of `input`", _random_samples.shape[0] >= batch, "shape", input, _random_samples)
            require("`_random_samples` has the channels of `input`", _random_samples.shape[1] == input.shape[-axes - 1], "shape", input, _random_samples)
            require("`_random_samples` has a number per spatial axis", _random_samples.shape[2] == axes, "shape", input, _random_samples)
        result = made(kind_of(input), shape)
        return (result, made("i64", shape)) if return_indices else result

    return _tensorvet.named(name, function)


fractional_max_pool2d, fractional_max_pool3d = _fractional(2), _fractional(3)


def _unpool(axes):
    name = "max_unpool" + str(axes) + "d"

    def function(input: Tensor, indices: Tensor, kernel_size: ints1, stride: ints1 | None = None, padding: ints1 = 0, output_size=None):
        require("the input of " + name + " has channels and " + str(axes) + " spatial axes, batched or not", input.ndim in (axes + 1, axes + 2), "shape", input)
        require("`indices` has the shape of `input`", indices.shape == input.shape, "shape", input, indices)
        require("`indices` holds int64", kind_of(indices) == "i64", "type", indices)
        accept(name, "hf", input)
        for each in (kernel_size, stride, padding):
            require("there is a number per axis", not isinstance(each, (tuple, list)) or len(each) == axes, "value", input)
        kernel = per_axis(kernel_size, axes, "kernel_size")
        steps = kernel if stride is None else per_axis(stride, axes, "stride")
        pads = per_axis(padding, axes, "padding")
        default = [(input.shape[place - axes] - 1) * steps[place] + kernel[place] - 2 * pads[place] for place in range(axes)]
        sizes = default
        if output_size is not None:
            wanted = list(output_size)[-axes:]
            require("`output_size` gives the spatial sizes", len(wanted) == axes, "value", input, raises=ValueError)
            for place in range(axes):
                require("`output_size` is within a stride of the default", default[place] - steps[place] < wanted[place] and wanted[place] < default[place] + steps[place], "value", input, raises=ValueError)
            sizes = wanted
        for place in range(axes):
            require("strides are positive", steps[place] > 0, "value", input)
        total = count(sizes)
        for value in _tensorvet.entries(indices) or []:
            require("every index is within the output", 0 <= value and value < total, "value", indices, raises=ValueError)
        return made(kind_of(input), [*input.shape[:-axes], *sizes])

    return _tensorvet.named(name, function)


max_unpool1d, max_unpool2d, max_unpool3d = _unpool(1), _unpool(2), _unpool(3)
