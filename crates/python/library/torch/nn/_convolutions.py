"""Linear maps and convolutions."""

import builtins

import _tensorvet
from _tensorvet import made, once, operate, require
from torch import _functions as f
from torch import _elements, _sums
from torch._rules import accept, channels_before, computed, kind_of, letter, one_kind, per_axis


def _multiplied(input, weight):
    """What a linear map asks of its input; whether its definition covers the type."""
    require("`weight` of `linear` is a matrix or a vector", weight.ndim in (1, 2), "shape", input, weight)
    require("`input` of `linear` has axes", input.ndim > 0, "shape", input, weight)
    one_kind("linear", input, weight)
    accept("linear", "ihfc", input)
    require("`input` has as many features as `weight` takes", input.shape[-1] == weight.shape[-1], "shape", input, weight)
    return kind_of(input) in ("i32", "i64", "f16", "bf16", "f32", "f64")


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None):
    is_covered = once(_multiplied, input, weight)
    if _tensorvet.is_unknown(is_covered):
        return is_covered
    if is_covered:
        product = operate("matmul", input, operate("transpose", weight) if weight.ndim == 2 else weight, _as="linear")
    else:
        product = made(kind_of(input), [*input.shape[:-1], *weight.shape[:-1]])
    if bias is None:
        return product
    one_kind("linear", input, bias)
    joint = _tensorvet.broadcast(kind_of(product), [product, bias], "linear")
    require("`bias` broadcasts to the output of `linear`", joint.shape == product.shape, "shape", product, bias)
    return _sums.biased("linear", product, bias)


def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None):
    require("both inputs have equally many axes", input1.ndim == input2.ndim and input1.ndim > 0, "shape", input1, input2)
    require("both inputs agree in all axes but the last", input1.shape[:-1] == input2.shape[:-1], "shape", input1, input2)
    require("`weight` of `bilinear` has three axes", weight.ndim == 3, "shape", weight)
    require("the inputs have as many features as `weight` takes", input1.shape[-1] == weight.shape[1] and input2.shape[-1] == weight.shape[2], "shape", input1, input2, weight)
    one_kind("bilinear", input1, input2, weight)
    accept("bilinear", "ihfc", input1)
    if bias is not None:
        require("`bias` has a value per output", bias.ndim == 1 and bias.shape[0] == weight.shape[0], "shape", weight, bias)
        one_kind("bilinear", input1, bias)
    return made(kind_of(input1), [*input1.shape[:-1], weight.shape[0]])


def _convolved(name, axes, input, weight, bias, transposed, groups):
    """What every convolution asks for."""
    require("the weight of " + name + " has " + str(axes + 2) + " axes", weight.ndim == axes + 2, "shape", weight)
    require("the input of " + name + " has channels and " + str(axes) + " spatial axes, batched or not", input.ndim in (axes + 1, axes + 2), "shape", input)
    channels_before(axes, input)
    one_kind(name, input, weight)
    accept(name, "hfc" if transposed else "ihfc", input, also=("i64",))
    require("there is at least one group", groups > 0, "value")
    filters = weight.shape[0]
    require("the groups share the first axis of the weight evenly", filters >= groups and filters % groups == 0, "value", weight)
    channels = input.shape[-axes - 1]
    if transposed:
        require("`input` has as many channels as the weight takes", channels == filters, "shape", input, weight)
    else:
        require("`input` has groups * weight.shape[1] channels", channels == weight.shape[1] * groups, "shape", input, weight)
    if bias is not None:
        outputs = weight.shape[1] * groups if transposed else filters
        require("`bias` has one value per filter", bias.ndim == 1 and bias.shape[0] == outputs, "shape", weight, bias)
        one_kind(name, input, bias)
    for size in weight.shape[2:]:
        require("the kernel of " + name + " is not empty", size > 0, "shape", weight)


def _batched(axes, input):
    """The input with a batch axis."""
    return f.unsqueeze(input, 0) if input.ndim == axes + 1 else input


def _channels_first(input):
    """States that an image is not laid out as pictures are: squares of three colours."""
    shape = _tensorvet.shape(input)
    if not _tensorvet.is_unknown(shape) and len(shape) == 4 and _tensorvet.decided(shape[3] == 3):
        is_picture = _tensorvet.decided(shape[1] == shape[2]) is True and _tensorvet.decided(shape[1] >= 16) is True
        require("the channels of an image come before its height and width", not is_picture, "suspicious axis", input)


def _windows(name, axes, input, weight, bias, stride, padding, dilation, groups):
    """What a convolution asks for; its strides, pads and dilations per axis, and the sizes of the result."""
    _convolved(name, axes, input, weight, bias, False, groups)
    if axes == 2:
        _channels_first(input)
    kernel = list(weight.shape[2:])
    steps, dilation = per_axis(stride, axes, "stride"), per_axis(dilation, axes, "dilation")
    if isinstance(padding, str):
        require("`padding` is 'same', 'valid' or numbers", padding in ("same", "valid"), "value")
        require("`padding='same'` keeps sizes, so no stride is above 1", padding == "valid" or builtins.all([step == 1 for step in steps]), "value")
        total = [dilation[place] * (kernel[place] - 1) if padding == "same" else 0 for place in range(axes)]
        pads = [each // 2 for each in total] + [each - each // 2 for each in total]
    else:
        pads = per_axis(padding, axes, "padding") * 2
    _tensorvet.at_least("strides and dilations are positive", steps + dilation, 1)
    _tensorvet.at_least("no padding is negative", pads, 0)
    sizes = [1 if input.ndim == axes + 1 else input.shape[0], weight.shape[0]]
    for place in range(axes):
        room = input.shape[place - axes] + pads[place] + pads[place + axes]
        reach = dilation[place] * (kernel[place] - 1) + 1
        require("the kernel fits the padded input", reach <= room, "nothing", input, weight)
        sizes.append((room - reach) // steps[place] + 1)
    return tuple(steps), tuple(pads), tuple(dilation), tuple(sizes)


def conv(axes, input, weight, bias, stride, padding, dilation, groups):
    name = "conv" + str(axes) + "d"
    windows = once(_windows, name, axes, input, weight, bias, stride, padding, dilation, groups)
    if _tensorvet.is_unknown(windows):
        return windows
    steps, pads, dilation, sizes = windows
    if letter(input) in "hf":
        result = operate("conv", _batched(axes, input), weight, bias, stride=steps, padding=pads, dilation=dilation, groups=groups, _as=name)
    else:
        result = made(kind_of(input), sizes)
    return f.squeeze(result, 0) if input.ndim == axes + 1 else result


def _conv(axes):
    def function(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: ints1 = 1, padding: ints1 | str = 0, dilation: ints1 = 1, groups: int = 1):
        return conv(axes, input, weight, bias, stride, padding, dilation, groups)

    return _tensorvet.named("conv" + str(axes) + "d", function)


conv1d, conv2d, conv3d = _conv(1), _conv(2), _conv(3)


def conv_transpose(axes, input, weight, bias, stride, padding, output_padding, groups, dilation):
    name = "conv_transpose" + str(axes) + "d"
    _convolved(name, axes, input, weight, bias, True, groups)
    batched = _batched(axes, input)
    steps, dilation = per_axis(stride, axes, "stride"), per_axis(dilation, axes, "dilation")
    pads, extra = per_axis(padding, axes, "padding"), per_axis(output_padding, axes, "output_padding")
    sizes = [batched.shape[0], weight.shape[1] * groups]
    for place in range(axes):
        require("strides and dilations are positive", steps[place] > 0 and dilation[place] > 0, "value")
        require("no padding is negative", pads[place] >= 0 and extra[place] >= 0, "value")
        require("`output_padding` is less than the stride or the dilation", extra[place] < steps[place] or extra[place] < dilation[place], "value")
        size = (batched.shape[place + 2] - 1) * steps[place] - 2 * pads[place] + dilation[place] * (weight.shape[place + 2] - 1) + extra[place] + 1
        require("the output of " + name + " is not empty", size > 0, "shape", input, weight)
        sizes.append(size)
    result = computed("conv_transpose", made(kind_of(input), sizes), batched, weight, bias, stride=steps, padding=pads * 2, dilation=dilation, output_padding=extra, groups=groups, _as=name)
    return f.squeeze(result, 0) if input.ndim == axes + 1 else result


def _conv_transpose(axes):
    def function(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: ints1 = 1, padding: ints1 = 0, output_padding: ints1 = 0, groups: int = 1, dilation: ints1 = 1):
        return conv_transpose(axes, input, weight, bias, stride, padding, output_padding, groups, dilation)

    return _tensorvet.named("conv_transpose" + str(axes) + "d", function)


conv_transpose1d, conv_transpose2d, conv_transpose3d = _conv_transpose(1), _conv_transpose(2), _conv_transpose(3)


def _pair(value):
    """One number for both axes, or one each."""
    require("there is a number for each of two axes", isinstance(value, int) or len(value) == 2, "value")
    return [value, value] if isinstance(value, int) else list(value)


def unfold(input: Tensor, kernel_size: ints1, dilation: ints1 = 1, padding: ints1 = 0, stride: ints1 = 1):
    shape = list(input.shape)
    require("`unfold` takes images, batched or not", len(shape) in (3, 4), "shape", input)
    accept("unfold", "bhfc", input)
    kernel, dilation, pads, steps = [_pair(each) for each in (kernel_size, dilation, padding, stride)]
    blocks = 1
    for place in range(2):
        require("kernels, strides and dilations are positive", kernel[place] > 0 and steps[place] > 0 and dilation[place] > 0, "value")
        require("no padding is negative", pads[place] >= 0, "value")
        number = (shape[place - 2] + 2 * pads[place] - dilation[place] * (kernel[place] - 1) - 1) // steps[place] + 1
        require("the kernel fits the padded input", number > 0, "nothing", input)
        blocks = blocks * number
    for size in shape[-3:]:
        require("no axis but the batch is empty", size > 0, "shape", input)
    result = made(kind_of(input), [*shape[:-3], shape[-3] * kernel[0] * kernel[1], blocks])
    if not _elements.is_followed(input):
        return result
    return _elements.some_of(result, input, operate("mul", input, _tensorvet.number(kind_of(input), 0.0), _as="unfold"))


def fold(input: Tensor, output_size: ints1, kernel_size: ints1, dilation: ints1 = 1, padding: ints1 = 0, stride: ints1 = 1):
    shape = list(input.shape)
    require("`fold` takes columns of blocks, batched or not", len(shape) in (2, 3), "shape", input)
    accept("fold", "bhfc", input, raises=RuntimeError)
    output, kernel, dilation, pads, steps = [_pair(each) for each in (output_size, kernel_size, dilation, padding, stride)]
    blocks = 1
    for place in range(2):
        require("kernels, strides and dilations are positive", kernel[place] > 0 and steps[place] > 0 and dilation[place] > 0, "value")
        require("no padding is negative", pads[place] >= 0, "value")
        require("the output of `fold` is not empty", output[place] > 0, "value", input)
        number = (output[place] + 2 * pads[place] - dilation[place] * (kernel[place] - 1) - 1) // steps[place] + 1
        require("the kernel fits the padded output", number > 0, "nothing", input)
        blocks = blocks * number
    require("the rows of `fold` are whole kernels", shape[-2] % (kernel[0] * kernel[1]) == 0, "shape", input)
    require("there is a column per block of the output", shape[-1] == blocks, "shape", input)
    for size in shape[-2:]:
        require("no axis but the batch is empty", size > 0, "shape", input)
    return made(kind_of(input), [*shape[:-2], shape[-2] // (kernel[0] * kernel[1]), *output])
