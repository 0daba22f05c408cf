"""Sorting, searching and counting distinct numbers."""


import _tensorvet
from _tensorvet import count, made, require
from torch._rules import accept, axis, kind_of, known, like
from torch.return_types import pair, result

__aliases__ = {"x": "input", "a": "input", "axis": "dim"}


def sort(input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool | None = None, out: Tensors | None = None):
    accept("sort", "bihf", input, raises=TypeError)
    axis(dim, input.ndim, input)
    return pair("sort", _tensorvet.one_of_those(like(input), input), _positions(input, dim))


def argsort(input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool = False, out: Tensor | None = None):
    accept("argsort", "bihf", input, raises=TypeError)
    axis(dim, input.ndim, input)
    return _positions(input, dim)


def _positions(input, dim):
    """Where the elements of an axis stood."""
    positions = like(input, "i64")
    return _tensorvet.between(positions, 0, input.shape[dim] - 1) if input.ndim > 0 else positions


def msort(input: Tensor, *, out: Tensor | None = None):
    accept("msort", "bihf", input, raises=TypeError)
    return _tensorvet.one_of_those(like(input), input)


def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True, *, out: Tensors | None = None):
    accept("topk", "ihf", input)
    shape = list(input.shape)
    place = axis(dim, len(shape))
    require("`k` is not more than the axis holds", 0 <= k and k <= (shape[place] if shape else 1), "value", input)
    if not shape:
        return pair("topk", like(input), like(input, "i64"))
    last = shape[place] - 1
    shape[place] = k
    return pair("topk", _tensorvet.one_of_those(made(kind_of(input), shape), input), _tensorvet.between(made("i64", shape), 0, last))


def _sides(right, side, name):
    if side is not None:
        require("`side` is 'left' or 'right'", side in ("left", "right"), "value")
        require("`side` and `right` say the same", not (right and side == "left"), "value")


def searchsorted(sorted_sequence: Tensor, input: Operand, *, out_int32: bool = False, right: bool = False, side: str | None = None, sorter: Tensor | None = None, out: Tensor | None = None):
    _sides(right, side, "searchsorted")
    accept("searchsorted", "bihf", sorted_sequence)
    require("the sorted sequence has an axis", sorted_sequence.ndim > 0, "shape", sorted_sequence)
    if sorter is not None:
        require("`sorter` has the shape of the sequence", sorter.shape == sorted_sequence.shape, "shape", sorter, sorted_sequence)
        require("`sorter` holds int64", kind_of(sorter) == "i64", "type", sorter)
    kind = "i32" if out_int32 else "i64"
    if not _tensorvet.is_tensor(input):
        require("a number is searched in one sequence", sorted_sequence.ndim == 1, "shape", sorted_sequence)
        return made(kind, [])
    if sorted_sequence.ndim > 1:
        require("there is a sequence per row of `input`", sorted_sequence.shape[:-1] == input.shape[:-1] and input.ndim == sorted_sequence.ndim, "shape", sorted_sequence, input)
    _searched("searchsorted", input, sorted_sequence)
    return like(input, kind)


def _searched(name, input, boundaries):
    accept(name, "bihf", input)
    both = kind_of(input) == "bool" and kind_of(boundaries) == "bool"
    require("`" + name + "` does not compare bools", not both, "type", input, boundaries)


def bucketize(input: Operand, boundaries: Tensor, *, out_int32: bool = False, right: bool = False, out: Tensor | None = None):
    require("the boundaries are a vector", boundaries.ndim == 1, "shape", boundaries)
    accept("bucketize", "bihf", boundaries)
    kind = "i32" if out_int32 else "i64"
    if not _tensorvet.is_tensor(input):
        return made(kind, [])
    _searched("bucketize", input, boundaries)
    return like(input, kind)


def isin(elements: Operand, test_elements: Operand, *, assume_unique: bool = False, invert: bool = False, out: Tensor | None = None):
    require("one of both is a tensor", _tensorvet.is_tensor(elements) or _tensorvet.is_tensor(test_elements), "type", raises=TypeError)
    for each in (elements, test_elements):
        if _tensorvet.is_tensor(each):
            accept("isin", "ihf", each)
        else:
            require("`isin` compares real numbers", not isinstance(each, (bool, complex)), "type", raises=NotImplementedError)
    return like(elements, "bool") if _tensorvet.is_tensor(elements) else made("bool", [])


def _distinct(values):
    found = []
    for value in values:
        if value not in found:
            found.append(value)
    return len(found)


def _some(number, name):
    return _tensorvet.symbol("distinct", 0, 1 << 31, "the number of distinct elements") if number is None else number


def unique(input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None):
    accept("unique", "bihf", input)
    values = known(input)
    shape = list(input.shape)
    if dim is None:
        number = _some(None if values is None else _distinct(values), "unique")
        results = [made(kind_of(input), [number]), like(input, "i64"), made("i64", [number])]
    else:
        place = axis(dim, len(shape))
        lines = _lines(values, shape, place)
        number = _some(None if lines is None else _distinct(lines), "unique")
        results = [made(kind_of(input), shape[:place] + [number] + shape[place + 1 :]), made("i64", [shape[place]]), made("i64", [number])]
        require("axes beside the one of `unique` are not empty", shape[place] == 0 or count(shape) > 0, "shape", input)
    return _asked(results, return_inverse, return_counts)


def _asked(results, return_inverse, return_counts):
    chosen = [results[0]] + ([results[1]] if return_inverse else []) + ([results[2]] if return_counts else [])
    return tuple(chosen) if len(chosen) > 1 else chosen[0]


def _lines(values, shape, place):
    """The slices along an axis as lists of numbers."""
    if values is None:
        return None
    inner = count(shape[place + 1 :])
    lines = [[] for _ in range(shape[place])]
    for position, value in enumerate(values):
        lines[position // inner % shape[place]].append(value)
    return lines


def _runs(values):
    runs = 0
    for position, value in enumerate(values):
        if position == 0 or value != values[position - 1]:
            runs += 1
    return runs


def unique_consecutive(input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None):
    accept("unique_consecutive", "bihf", input)
    values = known(input)
    shape = list(input.shape)
    if dim is None:
        number = _some(None if values is None else _runs(values), "unique_consecutive")
        results = [made(kind_of(input), [number]), like(input, "i64"), made("i64", [number])]
    else:
        place = axis(dim, len(shape))
        lines = _lines(values, shape, place)
        number = _some(None if lines is None else _runs(lines), "unique_consecutive")
        results = [made(kind_of(input), shape[:place] + [number] + shape[place + 1 :]), made("i64", [shape[place]]), made("i64", [number])]
    return _asked(results, return_inverse, return_counts)


def unravel_index(indices: Tensor, shape):
    accept("unravel_index", "i", indices, raises=TypeError)
    shape = [shape] if isinstance(shape, int) else list(shape)
    for size in shape:
        if not isinstance(size, int):
            raise TypeError("unravel_index() takes a shape of ints")
        require("no size is negative", size >= 0, "value", raises=ValueError)
    require("a shape without elements has no indices", count(shape) > 0 or count(indices.shape) == 0, "value", indices, raises=ValueError)
    return tuple([like(indices, "i64") for _ in shape])


def histogram(input: Tensor, bins: int | Tensor = 100, *, range=None, weight: Tensor | None = None, density: bool = False, out: Tensors | None = None):
    accept("histogram", "f", input)
    if weight is not None:
        require("there is a weight per number", count(weight.shape) == count(input.shape), "shape", input, weight)
        require("`weight` has the element type of `input`", kind_of(weight) == kind_of(input), "type", input, weight)
    if _tensorvet.is_tensor(bins):
        require("the edges of the bins are a vector", bins.ndim == 1, "shape", bins)
        require("the edges have the element type of `input`", kind_of(bins) == kind_of(input), "type", input, bins)
        if range is not None:
            raise TypeError("histogram() takes edges or a range")
        number = bins.shape[0] - 1
        require("two edges make a bin", number > 0, "shape", bins)
    else:
        require("there is at least one bin", bins > 0, "value", input)
        number = bins
        if range is not None:
            require("the range has two ends, the lower first", len(range) == 2 and range[0] <= range[1], "value", input, raises=TypeError)
    return result("histogram", "hist bin_edges", (made(kind_of(input), [number]), made(kind_of(input), [number + 1])))


def histogramdd(input: Tensor, bins, *, range=None, weight=None, density=False, out=None):
    accept("histogramdd", "f", input)
    require("`histogramdd` takes points of several numbers", input.ndim >= 2, "shape", input)
    number = input.shape[-1]
    bins = [bins] * number if isinstance(bins, int) else list(bins)
    require("there are bins per number of a point", len(bins) == number, "value", input, raises=TypeError)
    if weight is not None:
        require("there is a weight per point", weight.shape == input.shape[:-1], "shape", input, weight)
        require("`weight` has the element type of `input`", kind_of(weight) == kind_of(input), "type", input, weight, raises=TypeError)
    if range is not None:
        require("the range has two ends per number", len(range) == 2 * number, "value", input)
    sizes = []
    for each in bins:
        if _tensorvet.is_tensor(each):
            require("the edges of bins are a vector", each.ndim == 1, "shape", each)
            require("the edges have the element type of `input`", kind_of(each) == kind_of(input), "type", input, each)
            require("two edges make a bin", each.shape[0] > 1, "shape", each)
        require("there is at least one bin", _tensorvet.is_tensor(each) or each > 0, "value", input)
        sizes.append(each.shape[0] - 1 if _tensorvet.is_tensor(each) else each)
    edges = tuple([made(kind_of(input), [size + 1]) for size in sizes])
    return result("histogramdd", "hist bin_edges", (made(kind_of(input), sizes), edges))
