"""Subscripts with everything Python allows, and functions that take elements by their indices."""

import builtins

import _tensorvet
from _tensorvet import count, made, operate, require
from torch import _creation, _types, _values
from torch._rules import accept, axis, computed, kind_of, known, letter, like, scales, within
from torch._views import _clipped, _selected, sliced, unsqueeze

__aliases__ = {"x": "input", "a": "input", "axis": "dim"}


def index(input, index):
    """`input[index]`: integers, slices, None, `...`, masks and tensors of indices."""
    if isinstance(index, slice) and input.ndim > 0:
        return sliced(input, 0, index)
    parts = list(index) if isinstance(index, tuple) else [index]
    parts = [_as_part(part) for part in parts]
    if hasattr(input, "_steps_first") and len(parts) > 1 and isinstance(parts[0], slice) and isinstance(parts[1], builtins.int) and parts[0] == slice(None) and parts[1] == -1:
        require("without `batch_first` the steps come first: the last one is `[-1]`", input.shape[0] == 1 or input.shape[1] == 1, "suspicious axis", input)
    if builtins.any([_tensorvet.is_tensor(part) and (kind_of(part) is None or not _tensorvet.is_number(part.ndim)) for part in parts]):
        require("the indices fit the axes", _tensorvet.unknown("a tensor of indices whose type or rank is not known"), "shape", input)
        return _tensorvet.unknown_tensor(kind_of(input))
    used = 0
    for part in parts:
        used += part.ndim if _is_mask(part) else 0 if part is None or part is ... or isinstance(part, builtins.bool) else 1
    rank = input.ndim
    require("there are no more indices than axes", used <= rank, "value", input, raises=IndexError)
    if not builtins.any([part is ... for part in parts]):
        parts.append(...)
    result, place, chosen = input, 0, []
    for part in parts:
        if part is None:
            result, place = unsqueeze(result, place), place + 1
        elif part is ...:
            # A second one stands for nothing.
            place, used = place + rank - used, rank
        elif isinstance(part, builtins.bool):
            result = unsqueeze(result, place)
            chosen.append((place, 1, [1 if part else 0], None))
            place += 1
        elif isinstance(part, slice):
            result = sliced(result, place, part)
            place += 1
        elif _tensorvet.is_tensor(part):
            width = part.ndim if _is_mask(part) else 1
            chosen.append((place, width, _found(result, place, part), part))
            place += width
        elif part is _SOMEWHERE:
            result = _somewhere(result, place)
        elif isinstance(part, builtins.int):
            size = result.shape[place]
            require("the index is within the axis", -size <= part and part < size, "value", result, raises=IndexError)
            if not _tensorvet.is_number(part) and _tensorvet.decided(part < 0) is None:
                result = _somewhere(result, place)
            else:
                result = _selected(result, place, part + size if part < 0 else part)
        elif _tensorvet.is_unknown(part):
            return _tensorvet.unknown("a tensor indexed by something unknown")
        else:
            raise TypeError("a tensor is not indexed by " + type(part).__name__)
    return _gathered(result, chosen) if chosen else result


# A number that is not known.
_SOMEWHERE = object()


def _somewhere(input, place):
    """What stands at some index of an axis: which it is has no say in the shape."""
    sizes = list(input.shape)
    return _tensorvet.like_those_of(made(kind_of(input), sizes[:place] + sizes[place + 1 :]), input)


def _as_part(part):
    """Lists of numbers are tensors of indices; an integer tensor without axes is a number."""
    if isinstance(part, builtins.int) and not _tensorvet.is_number(part) and _tensorvet.hull([part]) is None:
        return _SOMEWHERE
    if isinstance(part, (builtins.int, slice)) or part is None or part is ...:
        return part
    if not _tensorvet.is_unknown(part) and hasattr(part, "_tensor"):
        # An array of NumPy.
        part = part._tensor
    if isinstance(part, range):
        return _creation.arange(part.start, part.stop, part.step) if part else made("i64", [0])
    if isinstance(part, (list, tuple)):
        return _creation.tensor(list(part)) if len(part) > 0 else made("i64", [0])
    if _tensorvet.is_tensor(part):
        kind = kind_of(part)
        require("indices are integers, bytes or bools", kind in (None, "i64", "i32", "i16", "i8", "u8", "bool") and kind not in ("i16", "i8"), "type", part, raises=IndexError)
        if part.ndim == 0 and kind in ("i64", "i32"):
            return _as_part(part.item())
    if _tensorvet.is_unknown(part) and _tensorvet.decided(isinstance(part, builtins.int)) is True:
        return _SOMEWHERE
    return part


def _is_mask(part):
    return _tensorvet.is_tensor(part) and kind_of(part) in ("bool", "u8")


def _found(input, place, part):
    """The sizes of what a tensor of indices or a mask picks."""
    shape = input.shape
    if not _is_mask(part):
        within(None, part, shape[place])
        return list(part.shape)
    for offset, size in enumerate(part.shape):
        require("the mask has the sizes of the axes it selects from", size == shape[place + offset], "shape", input, part, raises=IndexError)
    return [_true_count(part)]


def _true_count(mask):
    if 0 in mask.shape:
        return 0
    values = known(mask)
    if values is None:
        return _tensorvet.selected(mask)
    return builtins.sum([1 if value else 0 for value in values])


def _gathered(input, chosen):
    """What index tensors pick: their joint shape stands where they stood, or in front if they stood apart."""
    joint = [1] * builtins.max([len(sizes) for _, _, sizes, _ in chosen])
    for _, _, sizes, part in chosen:
        for offset, size in enumerate(reversed(sizes)):
            old = joint[-1 - offset]
            require("the index tensors broadcast", size == old or size == 1 or old == 1, "shape", input, *[part for _, _, _, part in chosen if _tensorvet.is_tensor(part)], raises=IndexError)
            joint[-1 - offset] = size if old == 1 else old
    taken = [place + offset for place, width, _, _ in chosen for offset in range(width)]
    adjacent = taken == list(range(taken[0], taken[0] + len(taken)))
    rest = [(place, size) for place, size in enumerate(input.shape) if place not in taken]
    front = [size for place, size in rest if adjacent and place < taken[0]]
    back = [size for place, size in rest if not (adjacent and place < taken[0])]
    result = made(kind_of(input), [*front, *joint, *back])
    # A mask may have asked for numbers of a certain size.
    if len(chosen) == 1 and chosen[0][3] is not None and _is_mask(chosen[0][3]) and chosen[0][3].ndim == input.ndim:
        return _values.masked("indexing", input, chosen[0][3], result)
    if builtins.any([_is_mask(part) for _, _, _, part in chosen if part is not None]):
        return _tensorvet.one_of_those(result, input)
    return _tensorvet.like_those_of(result, input)


def set_index(input, place, value):
    """`input[place] = value`: the value is broadcast to the part."""
    part = index(input, place)
    if not _tensorvet.is_tensor(value):
        is_array = not _tensorvet.is_unknown(value) and hasattr(value, "_tensor") and value._tensor.ndim > 0
        if value is None or isinstance(value, (str, list, tuple, dict, set)) or is_array:
            raise TypeError("can't assign a " + ("numpy.ndarray" if is_array else type(value).__name__) + " to a tensor")
        require("a complex number goes into a complex tensor", not isinstance(value, complex) or kind_of(input) in ("c64", "c128"), "type", input)
        return _put(input, place, value)
    parts = place if isinstance(place, tuple) else (place,)
    gathers = builtins.any([_tensorvet.is_tensor(each) or isinstance(each, list) for each in parts])
    fits = not gathers or value.ndim == 0 or kind_of(value) == kind_of(input)
    require("what is put at indices has the type of the tensor", fits, "type", input, value)
    if _tensorvet.is_tensor(part):
        _fits_into(value, part)
    _put(input, place, value)


def _put(input, place, value):
    """Changes the elements, or forgets them where they or their places are not known."""
    old, part = _tensorvet.entries(input), None
    # A handful of elements decides about shapes; more are data.
    if old is not None and len(old) <= 1024:
        places = index(_tensorvet.constant("i64", list(input.shape), list(range(len(old)))), place)
        places = _tensorvet.entries(places) if _tensorvet.is_tensor(places) else None
        if places is not None and _tensorvet.is_tensor(value):
            new = _tensorvet.entries(value)
            part = [new[0]] * len(places) if new is not None and len(new) == 1 else new if new is not None and len(new) == len(places) else None
        elif places is not None and not _tensorvet.is_unknown(value):
            part = [value] * len(places)
    if part is None:
        return _tensorvet.replace(input, _values.with_part(input, place, value, _cuts(input, place), like(input)), value)
    for at, number in zip(places, part):
        old[at] = number
    _tensorvet.replace(input, _tensorvet.constant(kind_of(input), list(input.shape), old), value)


def _cuts(input, place):
    """Where each axis is cut by integers and slices: for a slice the first place, how many and how far apart; None if indices are something else."""
    if not _tensorvet.follows_values() or not _tensorvet.is_number(input.ndim):
        return None
    parts = [_as_part(part) for part in (place if isinstance(place, tuple) else (place,))]
    if builtins.any([not (part is None or part is ... or isinstance(part, slice) or isinstance(part, builtins.int) and not isinstance(part, builtins.bool)) for part in parts]):
        return None
    used = builtins.sum([1 if part is not None and part is not ... else 0 for part in parts])
    if not builtins.any([part is ... for part in parts]):
        parts.append(...)
    cuts, axis = [], 0
    for part in parts:
        rest = input.ndim - used if part is ... else 0
        for size in input.shape[axis : axis + rest]:
            cuts.append((0, size, 1))
        axis, used = axis + rest, used + rest
        if part is None:
            cuts.append(())
        elif isinstance(part, slice):
            size, step = input.shape[axis], 1 if part.step is None else part.step
            start, stop = _clipped(part.start, 0, size), _clipped(part.stop, size, size)
            if _tensorvet.is_unknown(start) or _tensorvet.is_unknown(stop) or _tensorvet.is_unknown(step):
                return None
            cuts.append((start, (builtins.max(stop - start, 0) + step - 1) // step, step))
            axis += 1
        elif part is not ...:
            cuts.append((part + input.shape[axis] if part < 0 else part,))
            axis += 1
    return cuts


def _fits_into(value, part):
    """A value whose shape broadcasts to that of the part; further axes of size 1 in front do no harm."""
    ours, theirs = list(part.shape), list(value.shape)
    while len(theirs) > len(ours) and theirs[0] == 1:
        theirs = theirs[1:]
    require("the value has no more axes than the part", len(theirs) <= len(ours), "shape", part, value)
    if not (_tensorvet.is_number(part.ndim) and _tensorvet.is_number(value.ndim)):
        return
    for offset, size in enumerate(reversed(theirs)):
        require("the value broadcasts to the part", size == 1 or size == ours[-1 - offset], "shape", part, value)


def _indices(name, index, kinds=("i64", "i32")):
    require("the indices of `" + name + "` are integers", kind_of(index) is None or kind_of(index) in kinds, "type", index)


def index_select(input: Tensor, dim: int, index: Tensor, *, out: Tensor | None = None):
    shape = list(input.shape)
    place = axis(dim, len(shape))
    _indices("index_select", index)
    require("the indices of `index_select` are a vector", index.ndim <= 1, "shape", input, index, raises=IndexError)
    within("index_select", index, shape[place] if shape else 1)
    _not_negative(index)
    if not shape:
        require("a tensor without axes has one element to select", count(index.shape) == 1, "shape", input, index)
        return like(input)
    shape[place] = count(index.shape)
    result = _tensorvet.like_those_of(made(kind_of(input), shape), input)
    return operate("gather", input, index, axis=place, _as="index_select") if _tensorvet.follows_values() and index.ndim == 1 and letter(input) in "hf" and 0 not in result.shape else result


def _not_negative(index):
    for value in known(index) or []:
        require("no index is negative", value >= 0, "value", index)


def _same_outside(name, input, index, place):
    """Tensors of indices have the axes of `input`, and are nowhere longer but along the axis."""
    ours, theirs = _padded(input.shape), _padded(index.shape)
    require("`index` has as many axes as `input`", len(ours) == len(theirs), "shape", input, index)
    for number, size in enumerate(theirs):
        require("`index` is not longer than `input` outside the axis", number == place or size <= ours[number], "shape", input, index)


def _padded(shape):
    return list(shape) if len(shape) > 0 else [1]


def gather(input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False, out: Tensor | None = None):
    place = axis(dim, input.ndim, input)
    if count(index.shape) == 0:
        accept("gather", "i", index)
        return made(kind_of(input), index.shape)
    _indices("gather", index)
    _same_outside("gather", input, index, place)
    within("gather", index, _padded(input.shape)[place], RuntimeError)
    _not_negative(index)
    result = _tensorvet.like_those_of(made(kind_of(input), index.shape), input)
    return computed("gather_elements", result, input, index, axis=place, _as="gather") if input.ndim > 0 and index.ndim > 0 else result


def _scattered(name, input, dim, index, src, replaces=False):
    place = axis(dim, input.ndim, input)
    _indices(name, index)
    if _tensorvet.is_tensor(src):
        require("`src` has the element type of `input`", kind_of(src) == kind_of(input), "type", input, src)
    if count(index.shape) == 0:
        return like(input)
    _same_outside(name, input, index, place)
    if _tensorvet.is_tensor(src):
        require("`src` has as many axes as `index`", len(_padded(src.shape)) == len(_padded(index.shape)), "shape", index, src)
        for ours, theirs in zip(_padded(index.shape), _padded(src.shape)):
            require("`index` is not longer than `src`", ours <= theirs, "shape", index, src)
    within(name, index, _padded(input.shape)[place], RuntimeError)
    _not_negative(index)
    return _values.either(input, src, like(input)) if replaces else like(input)


def scatter(input: Tensor, dim: int, index: Tensor, src: Operand = None, *, value: Number | None = None, reduce: str | None = None, out: Tensor | None = None):
    require("`scatter` is given `src` or `value`", (src is None) != (value is None), "value", input, raises=TypeError)
    if reduce is not None:
        require("`reduce` of `scatter` is 'add' or 'multiply'", reduce in ("add", "multiply"), "value", input)
    number = value if src is None else src
    require("a complex number goes into a complex tensor", not isinstance(number, complex) or kind_of(input) in ("c64", "c128"), "type", input)
    return _scattered("scatter", input, dim, index, number, replaces=reduce is None)


def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor, *, out: Tensor | None = None):
    return _scattered("scatter_add", input, dim, index, src)


def scatter_reduce(input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True, out: Tensor | None = None):
    require("`reduce` is 'sum', 'prod', 'mean', 'amax' or 'amin'", reduce in ("sum", "prod", "mean", "amax", "amin", "max", "min"), "value", input)
    accept("scatter_reduce", "bihfc" if reduce == "sum" else "bihf", input)
    return _scattered("scatter_reduce", input, dim, index, src)


def _along(name, input, dim, index, source, value=None):
    """Functions that put slices of `source` at indices of one axis."""
    place = axis(dim, input.ndim, input)
    _indices(name, index)
    require("the indices of `" + name + "` are a vector", index.ndim <= 1, "shape", input, index, raises=IndexError)
    within(name, index, _padded(input.shape)[place])
    _not_negative(index)
    if source is not None:
        require("`source` has the element type of `input`", kind_of(source) == kind_of(input), "type", input, source)
        ours, theirs = list(input.shape), list(source.shape)
        if (ours and theirs) or name != "index_copy" and ours != theirs:
            require("`source` has as many axes as `input`", len(ours) == len(theirs), "shape", input, source)
            for number, size in enumerate(theirs):
                wanted = count(index.shape) if number == place else ours[number]
                require("`source` has the sizes of the places it goes to", size == wanted, "shape", input, source)
        else:
            require("a number goes to one place", count(index.shape) == count(theirs), "shape", input, source, raises=IndexError)
            if theirs and not ours:
                require("`source` has as many axes as `input`", len(theirs) <= 1, "shape", input, source)
    replacing = source if name == "index_copy" else value
    return like(input) if replacing is None else _values.either(input, replacing, like(input))


def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Number = 1, out: Tensor | None = None):
    scales("index_add", kind_of(input), alpha)
    return _along("index_add", input, dim, index, source)


def index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor, *, out: Tensor | None = None):
    _indices("index_copy", index, ("i64",))
    return _along("index_copy", input, dim, index, source)


def index_fill(input: Tensor, dim: int, index: Tensor, value: Operand):
    _indices("index_fill", index, ("i64",))
    if _tensorvet.is_tensor(value):
        require("`value` of `index_fill` has no axes", value.ndim == 0, "shape", input, value)
    require("a complex number goes into a complex tensor", not isinstance(value, complex) or kind_of(input) in ("c64", "c128"), "type", input)
    return _along("index_fill", input, dim, index, None, value)


def index_reduce(input: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, *, include_self: bool = True, out: Tensor | None = None):
    require("`reduce` is 'prod', 'mean', 'amax' or 'amin'", reduce in ("prod", "mean", "amax", "amin"), "value", input)
    accept("index_reduce", "ihf", input)
    return _along("index_reduce", input, dim, index, source)


def index_put(input: Tensor, indices: Tensors, values: Tensor, accumulate: bool = False):
    require("`values` has the element type of `input`", kind_of(values) == kind_of(input), "type", input, values)
    part = index(input, tuple(indices))
    if _tensorvet.is_tensor(part):
        _fits_into(values, part)
    return like(input) if accumulate else _values.either(input, values, like(input))


def masked_fill(input: Tensor, mask: Tensor, value: Operand):
    require("the mask of `masked_fill` is bool", kind_of(mask) in ("bool", None), "type", input, mask)
    if _tensorvet.is_tensor(value):
        require("`value` of `masked_fill` has no axes", value.ndim == 0, "shape", input, value)
        fits = _tensorvet.can_cast(kind_of(value), kind_of(input))
    else:
        fits = _tensorvet.can_cast(_types.of_number(value), kind_of(input))
    fits = not isinstance(value, complex) or kind_of(input) in ("c64", "c128", None)
    require("a complex number goes into a complex tensor", fits, "type", input)
    return _values.replaced("masked_fill", input, mask, value, _tensorvet.broadcast(kind_of(input), [input, mask], "masked_fill"))


def masked_scatter(input: Tensor, mask: Tensor, source: Tensor):
    require("the mask of `masked_scatter` is bool", kind_of(mask) in ("bool", None), "type", input, mask)
    require("`source` has the element type of `input`", kind_of(source) == kind_of(input), "type", input, source)
    result = _tensorvet.broadcast(kind_of(input), [input, mask], "masked_scatter")
    values = known(mask)
    if values is not None and count(mask.shape) > 0:
        picked = builtins.sum([1 if value else 0 for value in values]) * (count(result.shape) // count(mask.shape))
        require("`source` has an element for every place", picked <= count(source.shape), "shape", input, source)
    return _values.either(input, source, result)


def masked_select(input: Tensor, mask: Tensor, *, out: Tensor | None = None):
    require("the mask of `masked_select` is bool", kind_of(mask) in ("bool", None), "type", input, mask)
    joint = _tensorvet.broadcast(kind_of(input), [input, mask], "masked_select")
    values = known(mask)
    if values is None or count(mask.shape) == 0:
        result = made(kind_of(input), [0 if values is not None else _true_count(mask)])
        return _values.masked("masked_select", input, mask, result) if values is None and mask.shape == input.shape else _tensorvet.one_of_those(result, input)
    picked = builtins.sum([1 if value else 0 for value in values])
    return made(kind_of(input), [picked * (count(joint.shape) // count(mask.shape))])


def nonzero(input: Tensor, *, out: Tensor | None = None, as_tuple: bool = False):
    found = _true_count(input)
    if as_tuple:
        return tuple([_tensorvet.between(made("i64", [found]), 0, size - 1) for size in _padded(input.shape)])
    return made("i64", [found, input.ndim])


def argwhere(input: Tensor):
    return made("i64", [_true_count(input), input.ndim])


def take(input: Tensor, index: Tensor, *, out: Tensor | None = None):
    _indices("take", index, ("i64",))
    within("take", index, count(input.shape))
    require("an empty tensor has nothing to take", count(input.shape) > 0 or count(index.shape) == 0, "shape", input, index)
    return _tensorvet.like_those_of(made(kind_of(input), index.shape), input)


def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False):
    _indices("put", index, ("i64",))
    require("`source` has the element type of `input`", kind_of(source) == kind_of(input), "type", input, source)
    require("`source` has an element per index", count(index.shape) == count(source.shape), "shape", index, source, raises=IndexError)
    within("put", index, count(input.shape))
    require("an empty tensor has no place to put to", count(input.shape) > 0 or count(index.shape) == 0, "shape", input, index)
    return like(input)


def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None, *, out: Tensor | None = None):
    _indices("take_along_dim", indices, ("i64",))
    if dim is None:
        within("take_along_dim", indices, count(input.shape))
        return made(kind_of(input), [count(indices.shape)])
    place = axis(dim, input.ndim, input)
    require("`indices` has as many axes as `input`", input.ndim == indices.ndim, "shape", input, indices)
    within("take_along_dim", indices, _padded(input.shape)[place])
    sizes = []
    for number, (ours, theirs) in enumerate(zip(input.shape, indices.shape)):
        require("`indices` broadcasts outside the axis", number == place or ours == theirs or ours == 1 or theirs == 1, "shape", input, indices)
        sizes.append(theirs if number == place else builtins.max(ours, theirs) if ours != 0 and theirs != 0 else 0)
    return _tensorvet.like_those_of(made(kind_of(input), sizes), input)


_tensorvet.named("indexing", index)
_tensorvet.named("assignment to a part", set_index)
