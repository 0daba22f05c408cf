"""Rows looked up by their numbers."""

import _tensorvet
from _tensorvet import made, require
from torch._rules import accept, computed, elements, kind_of, known, one_kind


def _rows(name, input, weight, raises=RuntimeError):
    accept(name, "b" if name == "embedding_bag" else "", input, also=("i64", "i32"), raises=RuntimeError)
    for value in elements(input, 0, weight.shape[0] - 1, "every index of `input` is a row of `weight`"):
        require("every index of `input` is a row of `weight`", 0 <= value and value < weight.shape[0], "value", input, weight, raises=raises)


def embedding(input: Tensor, weight: Tensor, padding_idx: int | None = None, max_norm: float | None = None, norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False):
    if padding_idx is not None:
        rows = weight.shape[0]
        require("`padding_idx` is one of the rows", -rows <= padding_idx and padding_idx < rows, "value", weight, raises=AssertionError)
    require("`weight` of `embedding` is a matrix", weight.ndim == 2, "shape", weight)
    _rows("embedding", input, weight, IndexError)
    result = made(kind_of(weight), [*input.shape, *weight.shape[1:]])
    result = computed("gather", result, weight, input, axis=0, _as="embedding")
    if hasattr(input, "_batch_first"):
        result._batch_first = True
    return result


def embedding_bag(input: Duck, weight: Duck, offsets: Tensor | None = None, max_norm: float | None = None, norm_type: float = 2, scale_grad_by_freq: bool = False, mode: object = "mean", sparse: bool = False, per_sample_weights: Duck | None = None, include_last_offset: bool = False, padding_idx: int | None = None):
    # The older order of arguments is still taken.
    if kind_of(weight) == "i64" and kind_of(input) in ("f16", "bf16", "f32", "f64"):
        input, weight = weight, input
    require("`input` is a row of numbers or a batch of rows", input.ndim in (1, 2), "shape", input, raises=ValueError)
    require("`mode` is 'sum', 'mean' or 'max'", mode in ("sum", "mean", "max"), "value", input, raises=ValueError)
    require("the largest of a bag has no frequency to scale by", not (mode == "max" and scale_grad_by_freq), "value", input, raises=ValueError)
    require("`weight` of `embedding_bag` is a matrix", weight.ndim == 2, "shape", weight, raises=ValueError)
    if per_sample_weights is not None:
        require("there is a weight per number", per_sample_weights.shape == input.shape, "shape", input, per_sample_weights, raises=ValueError)
        require("weighted bags are summed", mode == "sum", "value", input, raises=NotImplementedError)
        one_kind("embedding_bag", weight, per_sample_weights)
    if input.ndim == 2:
        require("a batch of rows has no offsets", offsets is None, "value", input, raises=ValueError)
        bags = input.shape[0]
    else:
        require("one row of numbers has offsets", offsets is not None, "value", input, raises=ValueError)
        require("the offsets are a vector", offsets.ndim == 1, "shape", offsets, raises=ValueError)
        accept("embedding_bag", "bi", offsets)
        starts = known(offsets)
        if starts:
            require("the first bag starts at 0, and no bag after the end", starts[0] == 0 and starts[-1] <= input.shape[0], "value", offsets)
        bags = offsets.shape[0] - (1 if include_last_offset else 0)
    accept("embedding_bag", "hf", weight)
    _rows("embedding_bag", input, weight)
    if padding_idx is not None:
        rows = weight.shape[0]
        require("`padding_idx` is one of the rows", -rows <= padding_idx and padding_idx < rows, "value", weight)
    return made(kind_of(weight), [bags, weight.shape[1]])


def one_hot(tensor: Tensor, num_classes: int = -1):
    require("`one_hot` takes class indices (int64)", kind_of(tensor) in (None, "i64"), "type", tensor)
    values = known(tensor)
    if values is not None:
        for value in values:
            require("no class is negative", value >= 0, "value", tensor)
        if num_classes == -1:
            require("an empty tensor does not tell the number of classes", len(values) > 0, "value", tensor)
            num_classes = max(values) + 1
        for value in values:
            require("every class is below `num_classes`", value < num_classes, "value", tensor)
    elif num_classes == -1 and _tensorvet.bounds(tensor) is not None:
        # The largest class may not have been drawn.
        num_classes = _tensorvet.symbol("classes", 1, _tensorvet.bounds(tensor)[1] + 1, "the largest class index of one_hot")
    elif num_classes == -1:
        num_classes = _tensorvet.symbol("classes", 1, 1 << 31, "the largest class index of one_hot")
    else:
        for value in elements(tensor, 0, num_classes - 1, "every class is below `num_classes`"):
            require("every class is below `num_classes`", 0 <= value and value < num_classes, "value", tensor)
    require("`num_classes` is positive", num_classes > 0, "value", tensor)
    given = _tensorvet.one_at(tensor, num_classes) if _tensorvet.follows_values() and kind_of(tensor) == "i64" else None
    return made("i64", [*tensor.shape, num_classes]) if given is None else given
