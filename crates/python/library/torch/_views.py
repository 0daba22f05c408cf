"""Other views of the same elements: shapes, orders of axes, repetitions, and the strides they leave."""

import builtins

import _tensorvet
from _tensorvet import count, made, once, operate, require
from torch import _elements, _types
from torch._creation import listed
from torch._rules import axes, axis, kind_of, letter, like

# More parts of one shape than this are not told apart.
MANY = 64

__aliases__ = {"x": "input", "a": "input", "axis": "dim", "axis0": "dim0", "axis1": "dim1"}


def strides_of(input):
    return _tensorvet.row_strides(input.shape) if input._strides is None else input._strides


def _with_strides(result, strides):
    """Remembers strides that are not, or may not be, those of rows."""
    plain = _tensorvet.row_strides(result.shape)
    result._strides = None if _tensorvet.decided(tuple(strides) == plain) is True else tuple(strides)
    return result


def formatted(input, memory_format):
    """The same elements in another order of memory; None where the order is that of rows, or stays."""
    rank = {"channels_last": 4, "channels_last_3d": 5}.get(memory_format._name)
    if rank is None or input.ndim != rank:
        return None
    _types.FORMATTED[:] = [True]
    result = _tensorvet.copied(input)
    channels_last = [*input.shape[2:], input.shape[1]]
    *steps, last = _tensorvet.row_strides((input.shape[0], *channels_last))
    _with_strides(result, [steps[0], last, *steps[1:]])
    result._is_formatted = True
    return result


def is_surely_contiguous(input):
    """Whether the elements lie row by row, whatever the sizes are that are not known."""
    if input._strides is None:
        return True
    step = 1
    for size, stride in reversed(list(zip(input.shape, input._strides))):
        if _tensorvet.decided(size == 1) is not True:
            if _tensorvet.decided(stride == step) is not True:
                return False
            step = step * size
    return True


def is_contiguous(input):
    if input._strides is None:
        return True
    step = 1
    shape = input.shape
    if _tensorvet.any_is(shape, 0):
        return True
    for place in reversed(range(len(shape))):
        if shape[place] != 1:
            if input._strides[place] != step:
                return False
            step = step * shape[place]
    return True


def is_permuted(input):
    """Whether the axes lie in memory in another order."""
    if input._strides is None or _tensorvet.any_is(input.shape, 0):
        return False
    steps = [step for step, size in zip(input._strides, input.shape) if size != 1 and step != 0]
    return steps != sorted(steps, reverse=True)


def _viewed_strides(shape, strides, new):
    """The strides of a view with other sizes; None if there is no such view."""
    old = [(size, step) for size, step in zip(shape, strides) if size != 1]
    merged = []
    for size, step in old:
        if merged and merged[-1][1] == size * step:
            merged[-1] = (merged[-1][0] * size, step)
        else:
            merged.append((size, step))
    result, place, left = [], len(merged) - 1, None
    for size in reversed(list(new)):
        if size == 1:
            result.append(1)
            continue
        if left is None or left[0] == 1:
            if place < 0:
                return None
            left, place = merged[place], place - 1
        if left[0] % size != 0:
            return None
        result.append(left[1])
        left = (left[0] // size, left[1] * size)
    return tuple(reversed(result))


def _sized(input, sizes, name):
    """The sizes with -1 filled in."""
    total = count(input.shape)
    unknown = [place for place, size in enumerate(sizes) if _tensorvet.decided(size == -1) is True]
    if not unknown:
        unknown = [place for place, size in enumerate(sizes) if size == -1]
    require("one size at most is left open", len(unknown) <= 1, "value", input)
    _tensorvet.at_least("no size is negative", sizes, -1, input)
    if unknown:
        place = unknown[0]
        given = count((*sizes[:place], *sizes[place + 1 :]))
        require("the open size is not free to choose", given != 0, "value", input)
        require("the number of elements is a multiple of the given sizes", total % given == 0, "shape", input)
        sizes = list(sizes)
        sizes[unknown[0]] = total // given
    return tuple(sizes)


def reshape(input: Tensor, shape: ints, *, _as="reshape"):
    return operate("reshape", input, shape=once(_sized, input, shape, _as), allowzero=True, _as=_as)


def view(input, sizes, _as="view"):
    """Like reshape, for elements that may stay where they are."""
    sizes = once(_sized, input, sizes, _as)
    if input._strides is None or _tensorvet.any_is(input.shape, 0):
        return operate("reshape", input, shape=sizes, allowzero=True, _as=_as)
    require("the new shape has as many elements as the input", count(sizes) == count(input.shape), "shape", input, shape=sizes)
    strides = _viewed_strides(input.shape, input._strides, sizes)
    lies = strides is not None
    if not lies and _types.FORMATTED and not hasattr(input, "_is_formatted"):
        # What is computed from such tensors may lie like them.
        lies = _tensorvet.unknown("in which order the axes lie, where a program asks for channels last", "bool")
    require("the elements lie in memory as the view needs them: use .reshape(...)", lies, "layout", input)
    if strides is None:
        return operate("reshape", input, shape=sizes, allowzero=True, _as=_as)
    return _with_strides(operate("reshape", input, shape=sizes, allowzero=True, _as=_as), strides)


def view_kind(input, kind):
    """The same bytes read as another type."""
    if kind_of(input) is None:
        return _tensorvet.unknown_tensor(kind)
    ours, theirs = _types.by_kind(kind_of(input)).itemsize, _types.by_kind(kind).itemsize
    sizes = list(input.shape)
    if ours == theirs:
        return like(input, kind)
    require("a tensor without axes keeps the width of its type", len(sizes) > 0, "type", input)
    require("the last axis lies in one piece", strides_of(input)[-1] == 1, "layout", input)
    if ours < theirs:
        require("the last axis fills whole elements of the wider type", sizes[-1] * ours % theirs == 0, "shape", input)
    sizes[-1] = sizes[-1] * ours // theirs
    return made(kind, sizes)


def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1):
    shape = input.shape
    rank = len(shape)
    start, end = axis(start_dim, rank), axis(end_dim, rank)
    require("`flatten` starts before it ends", start <= end, "value", input)
    if rank == 0:
        return reshape(input, [1], _as="flatten")
    return reshape(input, [*shape[:start], count(shape[start : end + 1]), *shape[end + 1 :]], _as="flatten")


def ravel(input: Tensor):
    return reshape(input, [count(input.shape)], _as="ravel")


def unflatten(input: Duck, dim: int, sizes: ints):
    shape = input.shape
    place = axis(dim, len(shape))
    require("`unflatten` is given sizes", len(sizes) > 0, "value", input)
    require("`unflatten` takes a tensor with axes", len(shape) > 0, "shape", input)
    # Beside one that is surely open, others are given.
    has_open = builtins.any([_tensorvet.decided(size == -1) is True for size in sizes])
    opens = [_tensorvet.decided(size == -1) is True if has_open else size == -1 for size in sizes]
    fixed, open = 1, 0
    for size, is_open in zip(sizes, opens):
        fixed, open = (fixed, open + 1) if is_open else (fixed * size, open)
        require("no size is negative", size >= -1, "value", input)
    require("one size at most is left open", open <= 1, "value", input)
    if open:
        require("the open size is not free to choose", fixed != 0, "value", input)
        require("the sizes multiply to the axis", shape[place] % fixed == 0, "shape", input)
        sizes = [shape[place] // fixed if is_open else size for size, is_open in zip(sizes, opens)]
    require("the sizes multiply to the axis", count(sizes) == shape[place], "shape", input)
    return view(input, [*shape[:place], *sizes, *shape[place + 1 :]], "unflatten")


def _ordered(input, order, name):
    strides = strides_of(input)
    result = operate("transpose", input, order=order, _as=name) if len(order) > 1 else input
    return _with_strides(result, [strides[place] for place in order]) if len(order) > 1 else result


def permute(input: Tensor, dims: ints):
    rank = input.ndim
    require("`permute` names every axis", len(dims) == rank, "value", input)
    return _ordered(input, axes(dims, rank), "permute")



def transpose(input: Tensor, dim0: int, dim1: int, *, _as="transpose"):
    rank = input.ndim
    first, second = axis(dim0, rank), axis(dim1, rank)
    if rank == 0:
        return input
    order = list(range(rank))
    order[first], order[second] = second, first
    return _ordered(input, order, _as)


swapaxes = swapdims = transpose


def t(input: Tensor):
    require("`t` takes at most two axes", input.ndim <= 2, "shape", input)
    return transpose(input, 0, 1, _as="t") if input.ndim == 2 else input



def adjoint(input: Tensor):
    return transpose(input, -2, -1)


def movedim(input: Tensor, source: ints1, destination: ints1):
    rank = input.ndim
    source, destination = [[each] if isinstance(each, int) else list(each) for each in (source, destination)]
    require("as many axes are moved as places are given", len(source) == len(destination), "value", input, raises=TypeError)
    source, destination = axes(source, rank), axes(destination, rank)
    if rank == 0:
        return input
    rest = iter([place for place in range(rank) if place not in source])
    order = [source[destination.index(place)] if place in destination else next(rest) for place in range(rank)]
    return _ordered(input, order, "movedim")


moveaxis = movedim


def unsqueeze(input: Tensor, dim: int):
    rank = input.ndim
    require("`dim` is one of the places of a new axis", -rank - 1 <= dim and dim <= rank, "value", input, raises=IndexError)
    place = dim + rank + 1 if dim < 0 else dim
    result = operate("unsqueeze", input, axes=[place], _as="unsqueeze")
    if input._strides is None:
        return result
    steps = input._strides
    shape = input.shape
    step = steps[place] * shape[place] if place < rank else 1
    return _with_strides(result, [*steps[:place], step, *steps[place:]])



MISSING = object()


def squeeze(input: Tensor, dim: ints1 = MISSING):
    shape = input.shape
    named = range(len(shape)) if dim is MISSING else axes(dim, len(shape))
    chosen = [place for place in named if place < len(shape) and shape[place] == 1]
    if not chosen:
        return input
    result = operate("squeeze", input, axes=chosen, _as="squeeze")
    if input._strides is None:
        return result
    return _with_strides(result, [step for place, step in enumerate(input._strides) if place not in chosen])



def expand(input, sizes, _as="expand"):
    shape = input.shape
    extra = len(sizes) - len(shape)
    require("`expand` gives as many sizes as there are axes, or more", extra >= 0, "value", input)
    full, steps = [], []
    strides = strides_of(input)
    for place, size in enumerate(sizes):
        old = shape[place - extra] if place >= extra else 1
        require("a new axis of `expand` has a size", size >= (-1 if place >= extra else 0), "value", input)
        full.append(old if size == -1 else size)
        if place >= extra and size != -1:
            require("`expand` repeats axes of size 1 only", old == size or old == 1, "shape", input, sizes=sizes)
        steps.append(strides[place - extra] if place >= extra and (size == -1 or old == size) else 0)
    result = operate("expand", input, shape=full, _as=_as) if 0 not in [size for size in full if isinstance(size, int)] else made(kind_of(input), full)
    return _with_strides(result, steps)


def expand_copy(input: Tensor, size: ints, *, implicit: bool = False):
    return expand(input, list(size))


def broadcast_to(input: Tensor, size: ints):
    return expand(input, list(size), "broadcast_to")


def _joint_shape(shapes):
    """The shape that shapes have together."""
    rank = builtins.max([len(shape) for shape in shapes], default=0) if shapes else 0
    result = [1] * rank
    for shape in shapes:
        for place, size in enumerate(reversed(list(shape))):
            old = result[rank - 1 - place]
            require("the shapes broadcast", size == old or size == 1 or old == 1, "shape")
            result[rank - 1 - place] = size if old == 1 else old
    return result


def broadcast_tensors(*tensors: object):
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    for tensor in tensors:
        if not _tensorvet.is_tensor(tensor):
            raise TypeError("broadcast_tensors() takes tensors")
    shape = _joint_shape([tensor.shape for tensor in tensors])
    return [expand(tensor, shape) for tensor in tensors]


def broadcast_shapes(*shapes: object):
    shapes = [[shape] if isinstance(shape, int) else shape for shape in shapes if shape is not None]
    for shape in shapes:
        require("shapes are numbers or lists of them", isinstance(shape, (tuple, list)), "value")
        for size in shape:
            require("no size is negative", size >= 0, "value", raises=ValueError)
    from torch._tensor import Size

    return Size(_joint_shape(shapes))


def tile(input: Tensor, dims: ints):
    missing = input.ndim - len(dims)
    return repeat(input, [1] * missing + list(dims) if missing > 0 else list(dims), "tile")


def repeat(input, repeats, _as="repeat"):
    shape = input.shape
    require("`repeat` has a number for every axis", len(repeats) >= len(shape), "value", input, repeats=repeats)
    for number in repeats:
        require("nothing is repeated a negative number of times", number >= 0, "value", input)
    grown = [1] * (len(repeats) - len(shape)) + list(shape)
    if letter(input) == "i":
        # Where indices lie decides whether they fit.
        return operate("tile", operate("reshape", input, shape=grown, allowzero=True, _as=_as), repeats=list(repeats), _as=_as)
    return _tensorvet.like_those_of(made(kind_of(input), [size * number for size, number in zip(grown, repeats)]), input)


def _shortened(input, place, start, length, step=1, name="slice"):
    """Every `step`-th element of an axis."""
    strides = strides_of(input)
    if not (_tensorvet.is_number(length) and _tensorvet.is_number(start)):
        result = made(kind_of(input), [*input.shape[:place], length, *input.shape[place + 1 :]])
        return _with_strides(_tensorvet.like_those_of(result, input), [*strides[:place], strides[place] * step, *strides[place + 1 :]])
    result = operate("slice", input, starts=[start], ends=[start + (length - 1) * step + 1], axes=[place], steps=[step], _as=name) if not (isinstance(length, int) and length == 0) else made(kind_of(input), [*input.shape[:place], 0, *input.shape[place + 1 :]])
    return _with_strides(result, [*strides[:place], strides[place] * step, *strides[place + 1 :]])


def narrow(input: Tensor, dim: int, start: int, length: int):
    shape = input.shape
    require("`narrow` takes a tensor with axes", len(shape) > 0, "shape", input)
    place = axis(dim, len(shape))
    size = shape[place]
    require("the length is not negative", length >= 0, "value", input)
    require("`start` is within the axis", -size <= start and start <= size, "value", input, raises=IndexError)
    first = start + size if start < 0 else start
    require("`narrow` ends within the axis", first + length <= size, "value", input)
    return _shortened(input, place, first, length, 1, "narrow")



def select(input: Tensor, dim: int, index: int):
    shape = input.shape
    require("`select` takes a tensor with axes", len(shape) > 0, "shape", input, raises=IndexError)
    place = axis(dim, len(shape))
    size = shape[place]
    require("the index is within the axis", -size <= index and index < size, "value", input, raises=IndexError)
    return _selected(input, place, index + size if index < 0 else index)


def _selected(input, place, index):
    strides = strides_of(input)
    part = operate("slice", input, starts=[index], ends=[index + 1], axes=[place], steps=[1])
    return _with_strides(operate("squeeze", part, axes=[place], _as="select"), [*strides[:place], *strides[place + 1 :]])


def sliced(input, place, part):
    """`input[start:stop:step]` on one axis."""
    if part.start is None and part.stop is None and part.step is None:
        return input
    size = input.shape[place]
    step = 1 if part.step is None else part.step
    require("the step of a slice is positive", step > 0, "value", input, raises=ValueError)
    start, stop = _clipped(part.start, 0, size), _clipped(part.stop, size, size)
    if _tensorvet.is_unknown(start) or _tensorvet.is_unknown(stop):
        # Where it begins or ends is not known, but that it is a part is.
        length = _tensorvet.symbol("rows", 0, size, "the number of rows of a slice")
        return _tensorvet.like_those_of(made(kind_of(input), [*input.shape[:place], length, *input.shape[place + 1 :]]), input)
    length = builtins.max(stop - start, 0)
    return _shortened(input, place, start, (length + step - 1) // step, step)


def _clipped(bound, default, size):
    if bound is None:
        return default
    if not isinstance(bound, builtins.int) and not _tensorvet.is_unknown(bound) and hasattr(bound, "_tensor"):
        # A number of NumPy.
        bound = bound._tensor
    bound = bound.item() if _tensorvet.is_tensor(bound) else bound
    bound = bound + size if bound < 0 else bound
    # What the path knows of numbers that are drawn or computed keeps the sizes simple.
    if not (_tensorvet.is_number(bound) and _tensorvet.is_number(size)) and not _tensorvet.is_unknown(bound):
        if _tensorvet.decided(bound >= 0) is True and _tensorvet.decided(bound <= size) is True:
            return bound
    return builtins.min(builtins.max(bound, 0), size)


def unbind(input: Tensor, dim: int = 0):
    shape = input.shape
    require("`unbind` takes a tensor with axes", len(shape) > 0, "shape", input, raises=TypeError)
    place = axis(dim, len(shape))
    if not _tensorvet.is_number(shape[place]):
        return _tensorvet.many(_tensorvet.like_those_of(made(kind_of(input), [*shape[:place], *shape[place + 1 :]]), input), shape[place])
    if shape[place] > MANY and _tensorvet.entries(input) is None:
        first = _selected(input, place, 0)
        return (first, *_tensorvet.more_views(first, input, shape[place] - 1))
    return tuple([_selected(input, place, number) for number in range(shape[place])])



def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1):
    shape, strides = input.shape, strides_of(input)
    require("`diagonal` takes at least two axes", len(shape) >= 2, "shape", input, raises=IndexError)
    first, second = axis(dim1, len(shape)), axis(dim2, len(shape))
    require("the two axes of a diagonal differ", first != second, "value", input)
    rows, columns = shape[first], shape[second]
    length = builtins.max(builtins.min(rows, columns - offset) if offset >= 0 else builtins.min(rows + offset, columns), 0)
    rest = [place for place in range(len(shape)) if place not in (first, second)]
    result = made(kind_of(input), [*[shape[place] for place in rest], length])
    if offset == 0 and len(shape) <= 24 and _elements.is_followed(input):
        # Einstein's notation: two axes of one letter.
        letters = ["a" if place in (first, second) else chr(98 + place) for place in range(len(shape))]
        result = operate("einsum", [input], equation="".join(letters) + "->" + "".join([letters[place] for place in rest]) + "a", _as="diagonal")
    else:
        result = _tensorvet.like_those_of(result, input)
    return _with_strides(result, [*[strides[place] for place in rest], strides[first] + strides[second]])



def unfold(input: Tensor, dimension: int, size: int, step: int):
    shape, strides = input.shape, strides_of(input)
    place = axis(dimension, len(shape))
    length = shape[place] if len(shape) > 0 else 1
    require("the window is not negative and fits the axis", size >= 0 and size <= length, "value", input)
    require("the step of `unfold` is positive", step > 0, "value", input)
    if len(shape) == 0:
        return _tensorvet.like_those_of(made(kind_of(input), [size]), input)
    result = made(kind_of(input), [*shape[:place], (length - size) // step + 1, *shape[place + 1 :], size])
    result = _tensorvet.like_those_of(result, input)
    return _with_strides(result, [*strides[:place], strides[place] * step, *strides[place + 1 :], strides[place]])


def as_strided(input: Tensor, size: ints, stride: ints, storage_offset: int | None = None):
    require("there is one stride per size", len(size) == len(stride), "value", input)
    offset = 0 if storage_offset is None else storage_offset
    last = offset
    for length, step in zip(size, stride):
        require("no stride is negative", step >= 0, "value", input)
        last = last + builtins.max(length - 1, 0) * step
    require("the offset is not negative", offset >= 0, "value", input)
    for length in size:
        require("no size is negative", length >= 0, "value", input)
    storage = 1
    for length, step in zip(input.shape, strides_of(input)):
        storage = storage + builtins.max(length - 1, 0) * step
    storage = 0 if _tensorvet.any_is(input.shape, 0) else storage
    require("the elements lie within the tensor's memory", count(size) == 0 or last < storage, "value", input)
    return _with_strides(_tensorvet.like_those_of(made(kind_of(input), size), input), stride)



def as_strided_scatter(input: Tensor, src: Tensor, size: ints, stride: ints, storage_offset: int | None = None):
    part = as_strided(input, size, stride, storage_offset)
    require("`src` has the sizes of the view", src.shape == part.shape, "shape", input, src)
    return like(input)


def _put(name):
    def function(input: Tensor, src: Tensor, *arguments, **options):
        part = {"diagonal_scatter": diagonal, "select_scatter": select}[name](input, *arguments, **options)
        require("`src` has the shape of the part it replaces", src.shape == part.shape, "shape", input, src)
        return like(input)

    return _tensorvet.named(name, function)


diagonal_scatter, select_scatter = _put("diagonal_scatter"), _put("select_scatter")


def slice_scatter(input: Tensor, src: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1):
    place = axis(dim, input.ndim, input)
    require("`slice_scatter` takes a tensor with axes", input.ndim > 0, "shape", input, raises=IndexError)
    part = sliced(input, place, slice(start, end, step))
    require("`src` broadcasts to the part it replaces", src.shape == part.shape, "shape", input, src)
    return like(input)


def flip(input: Tensor, *dims, **options):
    places = axes(listed("flip", "dims", dims, options), input.ndim)
    if input.ndim == 0 or not places or 0 in input.shape:
        return like(input)
    sizes = [input.shape[place] for place in places]
    return operate("slice", input, starts=[size - 1 for size in sizes], ends=[-size - 1 for size in sizes], axes=places, steps=[-1] * len(places), _as="flip")


def fliplr(input: Tensor):
    require("`fliplr` takes at least two axes", input.ndim >= 2, "shape", input)
    return _tensorvet.like_those_of(like(input), input)


def flipud(input: Tensor):
    require("`flipud` takes at least one axis", input.ndim >= 1, "shape", input)
    return _tensorvet.like_those_of(like(input), input)


def roll(input: Tensor, shifts: ints1, dims: ints1 = ()):
    shifts = [shifts] if isinstance(shifts, int) else list(shifts)
    dims = [dims] if isinstance(dims, int) else list(dims)
    require("`roll` is given shifts", len(shifts) > 0, "value", input)
    if dims:
        require("`roll` has a shift for every axis", len(dims) == len(shifts), "value", input)
        for dim in dims:
            require("`roll` takes a tensor with axes", input.ndim > 0, "shape", input, raises=IndexError)
            axis(dim, input.ndim, input)
    else:
        require("`roll` without axes takes one shift", len(shifts) == 1, "value", input)
    return _tensorvet.like_those_of(like(input), input)


def rot90(input: Tensor, k: int = 1, dims: ints = (0, 1)):
    rank = input.ndim
    require("`rot90` turns a plane of two axes", len(dims) == 2 and rank >= 2, "value", input)
    first, second = [axis(dim, rank) for dim in dims]
    require("the two axes differ", first != second, "value", input)
    shape = list(input.shape)
    if k % 2 == 1:
        shape[first], shape[second] = shape[second], shape[first]
    return _tensorvet.like_those_of(made(kind_of(input), shape), input)


def _at_least(name, rank):
    def one(input):
        if not _tensorvet.is_tensor(input):
            raise TypeError(name + "() takes tensors")
        shape = list(input.shape)
        if rank == 3 and len(shape) == 2:
            return reshape(input, [*shape, 1])
        if rank == 3 and len(shape) == 1:
            return reshape(input, [1, *shape, 1])
        return reshape(input, [1] * (rank - len(shape)) + shape) if len(shape) < rank else input

    def function(*tensors: object):
        if len(tensors) == 1 and not isinstance(tensors[0], (list, tuple)):
            return one(tensors[0])
        listed = tensors[0] if len(tensors) == 1 else tensors
        return tuple([one(tensor) for tensor in listed])

    return _tensorvet.named(name, function)


atleast_1d, atleast_2d, atleast_3d = [_at_least("atleast_" + str(rank) + "d", rank) for rank in (1, 2, 3)]


def _copied(function):
    """A view whose elements are copied, and may go into a given tensor."""

    def copied(input: Tensor, *arguments, out: Tensor | None = None, **options):
        return like(function(input, *arguments, **options))

    return copied


for _function in (as_strided, diagonal, narrow, permute, squeeze, t, transpose, unfold, unsqueeze):
    _tensorvet.define(_function.__name__ + "_copy", _copied(_function))


def unbind_copy(input: Tensor, dim: int = 0, *, out: Tensors | None = None):
    return unbind(input, dim)
