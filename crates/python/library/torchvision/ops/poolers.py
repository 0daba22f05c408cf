"""Regions of feature maps, each brought to one size."""

from _tensorvet import made, require
from torch import nn
from torch._rules import kind_of


def _pair(output_size):
    if isinstance(output_size, (tuple, list)):
        return list(output_size) * 2 if len(output_size) == 1 else list(output_size)
    return [output_size, output_size]


def _regions(input, boxes):
    """How many regions there are."""
    require("`input` has a batch, channels, height and width", input.ndim == 4, "shape", input)
    if isinstance(boxes, (tuple, list)):
        total = 0
        for each in boxes:
            require("the boxes of each image are rows of four numbers", each.ndim == 2 and each.shape[1] == 4, "shape", each)
            _one_kind(input, each)
            total = total + each.shape[0]
        return total
    require("a box has the place of its image and four numbers", boxes.ndim == 2 and boxes.shape[1] == 5, "shape", boxes)
    _one_kind(input, boxes)
    return boxes.shape[0]


def _one_kind(input, boxes):
    require("boxes have the element type of `input`", None in (kind_of(input), kind_of(boxes)) or kind_of(input) == kind_of(boxes), "type", input, boxes)


def roi_align(input: Tensor, boxes, output_size, spatial_scale: float = 1.0, sampling_ratio: int = -1, aligned: bool = False):
    count = _regions(input, boxes)
    return made(kind_of(input), [count, input.shape[1], *_pair(output_size)])


def roi_pool(input: Tensor, boxes, output_size, spatial_scale: float = 1.0):
    count = _regions(input, boxes)
    return made(kind_of(input), [count, input.shape[1], *_pair(output_size)])


def _by_position(input, boxes, output_size):
    count, (rows, columns) = _regions(input, boxes), _pair(output_size)
    require("there are channels for every place of the output", input.shape[1] % (rows * columns) == 0, "shape", input)
    return made(kind_of(input), [count, input.shape[1] // (rows * columns), rows, columns])


def ps_roi_align(input: Tensor, boxes, output_size, spatial_scale: float = 1.0, sampling_ratio: int = -1):
    return _by_position(input, boxes, output_size)


def ps_roi_pool(input: Tensor, boxes, output_size, spatial_scale: float = 1.0):
    return _by_position(input, boxes, output_size)


class RoIAlign(nn.Module):
    def __init__(self, output_size, spatial_scale, sampling_ratio, aligned=False):
        super().__init__()
        self.output_size, self.spatial_scale, self.sampling_ratio, self.aligned = output_size, spatial_scale, sampling_ratio, aligned

    def forward(self, input, rois):
        return roi_align(input, rois, self.output_size, self.spatial_scale, self.sampling_ratio, self.aligned)


class RoIPool(nn.Module):
    def __init__(self, output_size, spatial_scale):
        super().__init__()
        self.output_size, self.spatial_scale = output_size, spatial_scale

    def forward(self, input, rois):
        return roi_pool(input, rois, self.output_size, self.spatial_scale)


class PSRoIAlign(nn.Module):
    def __init__(self, output_size, spatial_scale, sampling_ratio):
        super().__init__()
        self.output_size, self.spatial_scale, self.sampling_ratio = output_size, spatial_scale, sampling_ratio

    def forward(self, input, rois):
        return ps_roi_align(input, rois, self.output_size, self.spatial_scale, self.sampling_ratio)


class PSRoIPool(RoIPool):
    def forward(self, input, rois):
        return ps_roi_pool(input, rois, self.output_size, self.spatial_scale)


class MultiScaleRoIAlign(nn.Module):
    """Regions of several feature maps, each taken from the one that suits its size."""

    def __init__(self, featmap_names, output_size, sampling_ratio, *, canonical_scale=224, canonical_level=4):
        super().__init__()
        self.featmap_names, self.sampling_ratio = featmap_names, sampling_ratio
        self.output_size = tuple(_pair(output_size))

    def forward(self, x, boxes, image_shapes):
        maps = [features for name, features in x.items() if name in self.featmap_names]
        for features in maps[1:]:
            require("feature maps have as many channels as one another", features.shape[1] == maps[0].shape[1], "shape", maps[0], features)
        return roi_align(maps[0], boxes, self.output_size)
