"""Pictures of tensors."""

import _tensorvet
from _tensorvet import made, require
from torch._rules import kind_of, like


def make_grid(tensor, nrow=8, padding=2, normalize=False, value_range=None, scale_each=False, pad_value=0.0, **options):
    """Images side by side in one; grey ones become three channels."""
    if isinstance(tensor, (list, tuple)):
        from torch import stack

        tensor = stack(list(tensor), 0)
    if not _tensorvet.is_tensor(tensor):
        raise TypeError("tensor or list of tensors expected, got " + str(type(tensor)))
    require("a grid is made of images", tensor.ndim in (2, 3, 4), "shape", tensor)
    sizes = list(tensor.shape)
    if tensor.ndim < 4:
        return made(kind_of(tensor), [3 if tensor.ndim == 2 or sizes[0] == 1 else sizes[0], *sizes[-2:]])
    number, channels, height, width = sizes
    channels = 3 if channels == 1 else channels
    if _tensorvet.decided(number == 1):
        return made(kind_of(tensor), [channels, height, width])
    columns = min(nrow, number)
    rows = (number + columns - 1) // columns
    return made(kind_of(tensor), [channels, (height + padding) * rows + padding, (width + padding) * columns + padding])


def save_image(tensor, fp, format=None, **options):
    make_grid(tensor, **options)


def draw_bounding_boxes(image, boxes, *arguments, **options):
    require("an image has channels, height and width", image.ndim == 3, "shape", image)
    require("boxes have four numbers each", boxes.ndim == 2 and boxes.shape[1] == 4, "shape", boxes)
    return like(image)


def draw_segmentation_masks(image, masks, *arguments, **options):
    require("an image has channels, height and width", image.ndim == 3, "shape", image)
    return like(image)


draw_keypoints = draw_segmentation_masks
