"""Padding, resampling and moving pixels."""

import builtins

from _tensorvet import count, made, require
from torch import _elements, _values
from torch._rules import accept, kind_of, like, one_kind


def pad(input: Tensor, pad: ints, mode: str = "constant", value: float | None = None):
    require("`pad` has two numbers per axis", len(pad) % 2 == 0, "value", input)
    pads = list(pad)
    require("`pad` names no more axes than there are", len(pads) // 2 <= input.ndim, "value", input)
    require("`mode` is 'constant', 'reflect', 'replicate' or 'circular'", mode in ("constant", "reflect", "replicate", "circular"), "value", input, raises=NotImplementedError)
    shape, axes = list(input.shape), len(pads) // 2
    if mode != "constant":
        require("only constants have a value to pad with", value is None or value == 0, "value", input)
        require("`" + mode + "` pads 1, 2 or 3 last axes of batched or single samples", 1 <= axes and axes <= 3 and input.ndim in (axes + 1, axes + 2), "shape", input, raises=NotImplementedError)
        accept("pad", "bihfc" if mode == "circular" else "ihfc", input)
        for size in shape[1 if input.ndim == axes + 2 else 0 :] if mode != "circular" else []:
            require("no axis but the batch is empty", size > 0, "shape", input)
    for place in range(axes):
        low, high = pads[2 * place], pads[2 * place + 1]
        size = shape[-1 - place]
        if mode == "reflect":
            require("a reflection is shorter than the axis", low < size and high < size, "value", input)
        if mode == "circular":
            require("padding goes around an axis once at most", low <= size and high <= size, "value", input)
        if mode == "constant":
            require("what is cut off is there", size + builtins.min(low, 0) >= 0 and size + builtins.min(high, 0) >= 0 and size + low + high >= 0, "value", input)
        else:
            require("the padded axis is not empty", size + low + high > 0, "value", input)
        shape[-1 - place] = size + low + high
    result = made(kind_of(input), shape)
    return _values.padded(input, pads, value, result) if mode == "constant" else _elements.some_of(result, input)


_MODES = ("nearest", "linear", "bilinear", "bicubic", "trilinear", "area", "nearest-exact")
_RANKS = {"linear": (3,), "bilinear": (4,), "bicubic": (4,), "trilinear": (5,), "nearest": (3, 4, 5), "area": (3, 4, 5), "nearest-exact": (3, 4, 5)}


_pad = pad


def constant_pad_nd(input: Tensor, pad: ints, value: Number = 0):
    if isinstance(value, complex):
        require("what is padded with a complex number is complex", input.is_complex(), "type", input, raises=RuntimeError)
        value = 0
    return _pad(input, pad, "constant", value)


def interpolate(input: Duck, size=None, scale_factor=None, mode: object = "nearest", align_corners=None, recompute_scale_factor=None, antialias: bool = False):
    require("`mode` is one that is known", mode in _MODES, "value", input, raises=NotImplementedError)
    if mode in ("nearest", "area", "nearest-exact"):
        require("`align_corners` is for interpolating modes", align_corners is None, "value", input, raises=ValueError)
    axes = input.ndim - 2
    require("either `size` or `scale_factor` is given", (size is None) != (scale_factor is None), "value", input, raises=ValueError)
    require("an image has a batch, channels and spatial axes", input.ndim in _RANKS[mode], "shape", input, raises=NotImplementedError)
    shape = list(input.shape)
    if size is not None:
        wanted = list(size) if isinstance(size, (tuple, list)) else [size] * axes
        require("`size` has one number per spatial axis", len(wanted) == axes, "value", input, raises=ValueError)
        require("`recompute_scale_factor` is for scale factors", not recompute_scale_factor, "value", input, raises=ValueError)
        for each in wanted:
            if not isinstance(each, int) or isinstance(each, bool):
                raise TypeError("interpolate(): `size` must be ints")
    else:
        scales = list(scale_factor) if isinstance(scale_factor, (tuple, list)) else [scale_factor] * axes
        require("`scale_factor` has one number per spatial axis", len(scales) == axes, "value", input, raises=ValueError)
        wanted = []
        for place, scale in enumerate(scales):
            require("a scale factor is positive", scale > 0, "value", input)
            wanted.append(builtins.int(shape[place + 2] * scale))
    require("antialiasing is there for bilinear and bicubic", not antialias or (mode in ("bilinear", "bicubic") and axes == 2), "value", input, raises=ValueError)
    for number in wanted + shape[2:]:
        require("the sizes of an image are positive", number > 0, "shape", input)
    require("there are channels", shape[1] > 0 or shape[0] == 0, "shape", input)
    accept("interpolate", "hf", input, also=("u8",) if mode in ("nearest", "nearest-exact", "bilinear", "bicubic") else ())
    if align_corners is not None and _tensorvet.decided(isinstance(align_corners, builtins.bool)) is False:
        raise TypeError("interpolate(): argument 'align_corners' must be bool, not " + type(align_corners).__name__)
    result = made(kind_of(input), shape[:2] + wanted)
    if mode in ("nearest", "nearest-exact"):
        return _elements.some_of(result, input)
    # Cubic curves swing beyond the numbers that they go through.
    return result if mode == "bicubic" else _elements.between_some(result, input, "interpolate")


upsample = interpolate


def upsample_nearest(input: Duck, size=None, scale_factor=None):
    return interpolate(input, size, scale_factor, "nearest")


def upsample_bilinear(input: Duck, size=None, scale_factor=None):
    return interpolate(input, size, scale_factor, "bilinear", align_corners=True)


def grid_sample(input: Tensor, grid: Tensor, mode: object = "bilinear", padding_mode: object = "zeros", align_corners: bool | None = None):
    require("`mode` is 'bilinear', 'nearest' or 'bicubic'", mode in ("bilinear", "nearest", "bicubic"), "value", input, raises=ValueError)
    require("`padding_mode` is 'zeros', 'border' or 'reflection'", padding_mode in ("zeros", "border", "reflection"), "value", input, raises=ValueError)
    result = sampled("grid_sample", input, grid)
    return result if mode == "bicubic" else _elements.between_some(result, input, "grid_sample", padding_mode == "zeros")


def sampled(name, input, grid, ranks=(4, 5)):
    require("`input` has a batch, channels and two or three spatial axes", input.ndim in ranks, "shape", input, grid)
    require("`grid` has as many axes as `input`", grid.ndim == input.ndim, "shape", input, grid)
    require("both batches are equally long", input.shape[0] == grid.shape[0], "shape", input, grid)
    require("`grid` holds a coordinate per spatial axis", grid.shape[-1] == input.ndim - 2, "shape", input, grid)
    one_kind(name, input, grid)
    accept(name, "hf", input)
    for size in input.shape[2:]:
        require("no spatial axis is empty", size > 0, "shape", input)
    return made(kind_of(input), [*input.shape[:2], *grid.shape[1:-1]])


def affine_grid(theta: Duck, size, align_corners: bool | None = None):
    accept("affine_grid", "hf", theta, raises=ValueError)
    sizes = list(size)
    require("`size` has four or five numbers", len(sizes) in (4, 5), "value", theta, raises=NotImplementedError)
    for each in sizes:
        require("the sizes of a grid are positive", each > 0, "value", theta, raises=ValueError)
    axes = len(sizes) - 2
    require("`theta` holds a matrix per sample", theta.ndim == 3 and theta.shape[1] == axes and theta.shape[2] == axes + 1, "shape", theta, raises=ValueError)
    require("`theta` has a matrix per sample of `size`", theta.shape[0] == sizes[0], "shape", theta)
    return made(kind_of(theta), [sizes[0], *sizes[2:], axes])


def pixel_shuffle(input: Tensor, upscale_factor: int):
    shape = list(input.shape)
    require("`pixel_shuffle` takes channels, height and width", len(shape) >= 3, "shape", input)
    require("the factor is positive", upscale_factor > 0, "value", input)
    square = upscale_factor * upscale_factor
    require("the channels are a multiple of the factor squared", shape[-3] % square == 0, "shape", input)
    result = made(kind_of(input), [*shape[:-3], shape[-3] // square, shape[-2] * upscale_factor, shape[-1] * upscale_factor])
    return _elements.some_of(result, input)


def pixel_unshuffle(input: Tensor, downscale_factor: int):
    shape = list(input.shape)
    require("`pixel_unshuffle` takes channels, height and width", len(shape) >= 3, "shape", input)
    require("the factor is positive", downscale_factor > 0, "value", input)
    require("height and width are multiples of the factor", shape[-2] % downscale_factor == 0 and shape[-1] % downscale_factor == 0, "shape", input)
    if count(shape) == 0:
        return like(input)
    return made(kind_of(input), [*shape[:-3], shape[-3] * downscale_factor * downscale_factor, shape[-2] // downscale_factor, shape[-1] // downscale_factor])


def channel_shuffle(input: Tensor, groups: int):
    require("`channel_shuffle` takes a batch of channels", input.ndim >= 3, "shape", input)
    require("there is at least one group", groups > 0, "value", input)
    require("the groups share the channels evenly", input.shape[1] % groups == 0, "shape", input)
    return like(input)
