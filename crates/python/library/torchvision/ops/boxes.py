"""Boxes: a row of four numbers each."""

import torch
import _tensorvet
from _tensorvet import made, require
from torch._rules import kind_of, reduction_of

_FORMATS = {"xyxy": 4, "xywh": 4, "cxcywh": 4, "xywhr": 5, "cxcywhr": 5, "xyxyxyxy": 8}


def _rows(boxes):
    require("boxes are rows of four numbers", boxes.ndim == 2 and boxes.shape[-1] == 4, "shape", boxes)


def _scored(boxes, scores):
    require("`scores` has one axis", scores.ndim == 1, "shape", boxes, scores)
    require("there is a score per box", boxes.shape[0] == scores.shape[0], "shape", boxes, scores)


def _kept(boxes):
    """The places of the boxes that are left."""
    return made("i64", [_tensorvet.symbol("kept", 0, boxes.shape[0], "the boxes that are kept")])


def nms(boxes: Tensor, scores: Tensor, iou_threshold: float):
    _rows(boxes)
    _scored(boxes, scores)
    require("boxes and scores have one element type", None in (kind_of(boxes), kind_of(scores)) or kind_of(boxes) == kind_of(scores), "type", boxes, scores)
    return _kept(boxes)


def batched_nms(boxes: Tensor, scores: Tensor, idxs: Tensor, iou_threshold: float):
    _rows(boxes)
    _scored(boxes, scores)
    require("there is a class per box", idxs.ndim == 1 and idxs.shape[0] == boxes.shape[0], "shape", boxes, idxs)
    return _kept(boxes)


def remove_small_boxes(boxes: Tensor, min_size: float):
    return _kept(boxes[:, 2] - boxes[:, 0] + boxes[:, 3] - boxes[:, 1])


def clip_boxes_to_image(boxes: Tensor, size: ints):
    require("the size of an image is height and width", len(size) == 2, "value", boxes)
    return torch.stack((boxes[..., 0::2], boxes[..., 1::2]), dim=boxes.ndim).reshape(boxes.shape)


def box_convert(boxes: Tensor, in_fmt: str, out_fmt: str):
    if in_fmt not in _FORMATS or out_fmt not in _FORMATS:
        raise ValueError("boxes are given as one of " + ", ".join(_FORMATS) + ", not as " + str(in_fmt if in_fmt not in _FORMATS else out_fmt))
    if in_fmt == out_fmt:
        return boxes.clone()
    if _FORMATS[in_fmt] == 4 and _FORMATS[out_fmt] == 4:
        return torch.stack([torch.add(part, part) for part in boxes.unbind(-1)][:4], dim=-1) if _four(boxes) else boxes
    if _FORMATS[in_fmt] == 4 or _FORMATS[out_fmt] == 4:
        raise ValueError("a box that is turned is not converted to or from one that is not")
    return made(kind_of(boxes), [*boxes.shape[:-1], _FORMATS[out_fmt]])


def _four(boxes):
    require("a box has four numbers", boxes.ndim >= 1 and boxes.shape[-1] == 4, "shape", boxes)
    return True


def box_area(boxes: Tensor, fmt: str = "xyxy"):
    if fmt not in ("xyxy", "xywh", "cxcywh"):
        raise ValueError("the area is there for xyxy, xywh and cxcywh, not for " + str(fmt))
    return (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])


def _pairs(boxes1, boxes2):
    """A number for each box of the first with each of the second."""
    first, second = box_area(boxes1), box_area(boxes2)
    corner = torch.max(boxes1[..., None, :2], boxes2[..., None, :, :2])
    shared = (torch.min(boxes1[..., None, 2:4], boxes2[..., None, :, 2:4]) - corner).clamp(min=0)
    overlap = shared[..., 0] * shared[..., 1]
    return overlap / (first[..., None] + second[..., None, :] - overlap)


def box_iou(boxes1: Tensor, boxes2: Tensor, fmt: str = "xyxy"):
    if fmt not in ("xyxy", "xywh", "cxcywh"):
        raise ValueError("boxes are compared as xyxy, xywh or cxcywh, not as " + str(fmt))
    return _pairs(boxes1, boxes2)


def generalized_box_iou(boxes1: Tensor, boxes2: Tensor):
    return _pairs(boxes1, boxes2)


def distance_box_iou(boxes1: Tensor, boxes2: Tensor, eps: float = 1e-7):
    return _pairs(boxes1, boxes2)


complete_box_iou = distance_box_iou


def masks_to_boxes(masks: Tensor):
    if masks.numel() == 0:
        return torch.zeros((0, 4))
    require("masks are given one per row, with height and width", masks.ndim == 3, "shape", masks)
    return made("f32", [masks.shape[0], 4])


def _loss(boxes1, boxes2, reduction):
    numbers = [first + second for first, second in zip(boxes1.unbind(dim=-1), boxes2.unbind(dim=-1))]
    for boxes in (boxes1, boxes2):
        require("a box has four numbers", boxes.shape[-1] == 4, "shape", boxes)
    return reduction_of(numbers[0] * numbers[1] * numbers[2] * numbers[3], reduction)


def generalized_box_iou_loss(boxes1: Tensor, boxes2: Tensor, reduction: str = "none", eps: float = 1e-7):
    return _loss(boxes1, boxes2, reduction)


def distance_box_iou_loss(boxes1: Tensor, boxes2: Tensor, reduction: str = "none", eps: float = 1e-7):
    return _loss(boxes1, boxes2, reduction)


complete_box_iou_loss = distance_box_iou_loss
