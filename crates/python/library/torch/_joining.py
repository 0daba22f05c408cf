"""Tensors put together and taken apart."""

import builtins

import _tensorvet
from _tensorvet import count, made, operate, require
from torch import _elements, _types, _views
from torch._rules import as_kind, axis, kind_of, known, letter
from torch._views import narrow, reshape, unsqueeze

__aliases__ = {"axis": "dim"}


def cat(tensors: Tensors, dim: int = 0, *, out: Out | None = None):
    return _joined("cat", tensors, dim)


concat = concatenate = cat


def _joined(name, tensors, dim):
    several = _tensorvet.several(tensors)
    if several is not None:
        surely = _tensorvet.surely_in(tensors)
        for other in surely[1:]:
            require("the tensors of `" + name + "` have equally many axes", other.ndim == surely[0].ndim, "shape", surely[0], other)
            for number, size in enumerate(other.shape):
                require("the tensors agree outside the axis", number == axis(dim, other.ndim, other) or size == surely[0].shape[number], "shape", surely[0], other)
        return _joined_alike(name, *several, dim)
    tensors = list(tensors)
    require("`" + name + "` is given tensors", len(tensors) > 0, "value", raises=ValueError if name == "cat" else RuntimeError)
    for tensor in tensors:
        require("every tensor has an axis to be joined along", tensor.ndim > 0, "shape", tensor)
    kind = _types.promoted(*[kind_of(tensor) for tensor in tensors])
    # An empty vector may stand among tensors of any shape.
    filled = [tensor for tensor in tensors if not (tensor.ndim == 1 and tensor.shape[0] == 0)]
    if not filled:
        axis(dim, 1)
        return made(kind, [0])
    first = filled[0]
    place = axis(dim, first.ndim, first)
    for other in filled[1:]:
        require("the tensors of `" + name + "` have equally many axes", other.ndim == first.ndim, "shape", first, other)
    if builtins.any([letter(tensor) == "c" for tensor in filled]):
        total = 0
        for tensor in filled:
            for number, size in enumerate(tensor.shape):
                require("the tensors agree outside the axis", number == place or size == first.shape[number], "shape", first, tensor)
            total = total + tensor.shape[place]
        return made(kind, [*first.shape[:place], total, *first.shape[place + 1 :]])
    return operate("concat", [as_kind(tensor, kind) for tensor in filled], axis=place, _as=name)


def _joined_alike(name, tensor, number, dim):
    """So many tensors that look like one."""
    require("`" + name + "` is given tensors", number > 0, "value")
    require("every tensor has an axis to be joined along", tensor.ndim > 0, "shape", tensor)
    place = axis(dim, tensor.ndim, tensor)
    shape = list(tensor.shape)
    for other, size in enumerate(shape):
        if other != place:
            require("the tensors agree outside the axis", size == _another(tensor).shape[other], "shape", tensor)
    shape[place] = _tensorvet.total(shape[place], number)
    return _tensorvet.like_those_of(made(kind_of(tensor), shape), tensor)


def _another(tensor):
    """Another of the tensors that one stands for."""
    return _tensorvet.one_of(tensor)


def stack(tensors: Tensors, dim: int = 0, *, out: Out | None = None):
    several = _tensorvet.several(tensors)
    if several is not None:
        surely = _tensorvet.surely_in(tensors)
        for other in surely[1:]:
            require("`stack` takes tensors of one shape", other.shape == surely[0].shape, "shape", surely[0], other)
        tensor, number = several
        place = axis(dim, tensor.ndim + 1)
        require("`stack` takes tensors of one shape", _another(tensor).shape == tensor.shape, "shape", tensor)
        return _joined_alike("stack", unsqueeze(tensor, place), number, place)
    tensors = list(tensors)
    require("`stack` is given tensors", len(tensors) > 0, "value")
    place = axis(dim, tensors[0].ndim + 1)
    for tensor in tensors[1:]:
        require("`stack` takes tensors of one shape", tensor.shape == tensors[0].shape, "shape", tensors[0], tensor)
    return _joined("stack", [unsqueeze(tensor, place) for tensor in tensors], place)


def _stacked(name, rank, dim):
    def function(tensors: Tensors, *, out: Out | None = None):
        require("`" + name + "` is given tensors", len(tensors) > 0, "value", raises=ValueError if name == "cat" else RuntimeError)
        grow = [None, _views.atleast_1d, _views.atleast_2d, _views.atleast_3d][rank]
        grown = [grow(tensor) for tensor in tensors]
        return _joined(name, grown, 0 if name == "hstack" and grown[0].ndim == 1 else dim)

    return _tensorvet.named(name, function)


hstack, vstack, dstack = _stacked("hstack", 1, 1), _stacked("vstack", 2, 0), _stacked("dstack", 3, 2)
row_stack = vstack


def column_stack(tensors: Tensors, *, out: Out | None = None):
    require("`column_stack` is given tensors", len(tensors) > 0, "value")
    return _joined("column_stack", [reshape(tensor, [count(tensor.shape), 1]) if tensor.ndim <= 1 else tensor for tensor in tensors], 1)


def split_with_sizes(input: Tensor, split_sizes: ints, dim: int = 0):
    return _split_at(input, list(split_sizes), dim)


split_with_sizes_copy = split_with_sizes


def _split_at(input, lengths, dim):
    require("`split` takes a tensor with axes", input.ndim > 0, "shape", input)
    place = axis(dim, input.ndim, input)
    total = 0
    for length in lengths:
        require("no part of a split is negative", length >= 0, "value", input)
        total = total + length
    require("the parts of a split make up the axis", total == input.shape[place], "value", input, parts=lengths, dim=dim)
    start, parts = 0, []
    for length in lengths:
        parts.append(narrow(input, place, start, length))
        start = start + length
    return tuple(parts)


def split(tensor: Duck, split_size_or_sections: ints1, dim: int = 0):
    if not isinstance(split_size_or_sections, int):
        return _split_at(tensor, list(split_size_or_sections), dim)
    length = split_size_or_sections
    require("`split` takes a tensor with axes", tensor.ndim > 0, "shape", tensor)
    place = axis(dim, tensor.ndim, tensor)
    size = tensor.shape[place]
    require("the length of a part is not negative", length >= 0, "value", tensor)
    require("parts of length 0 split an axis of size 0 only", length > 0 or size == 0, "value", tensor)
    if length == 0 or size == 0:
        return (narrow(tensor, place, 0, 0),)
    number = (size + length - 1) // length
    if not _tensorvet.is_number(number) and _tensorvet.decided(length == 1):
        return _tensorvet.many(narrow(tensor, place, 0, 1), number)
    if _tensorvet.is_number(number) and number > _views.MANY and _tensorvet.entries(tensor) is None:
        first, last = narrow(tensor, place, 0, length), narrow(tensor, place, length * (number - 1), size - length * (number - 1))
        return (first, *_tensorvet.more_views(first, tensor, number - 2), last)
    return _split_at(tensor, [length] * (number - 1) + [size - length * (number - 1)], place)


def chunk(input: Tensor, chunks: int, dim: int = 0):
    require("`chunk` takes a tensor with axes", input.ndim > 0, "shape", input)
    require("`chunk` makes at least one part", chunks > 0, "value", input)
    place = axis(dim, input.ndim, input)
    size = input.shape[place]
    length = (size + chunks - 1) // chunks
    if length == 0:
        return _split_at(input, [0] * chunks, place)
    return split(input, length, place)


def _places(name, *given):
    """Where to split: said in one of several ways."""
    found = [each for each in given if each is not None]
    if len(found) != 1:
        raise TypeError(name + "() is told in one way where to split")
    return found[0]


def tensor_split(input: Tensor, indices_or_sections: ints1 | Tensor = None, dim: int = 0, *, sections: int = None, indices: ints = None):
    where = _places("tensor_split", indices_or_sections, sections, indices)
    require("`tensor_split` takes a tensor with axes", input.ndim > 0, "shape", input)
    place = axis(dim, input.ndim, input)
    if _tensorvet.is_tensor(where):
        require("`tensor_split` is given int64 numbers", kind_of(where) == "i64", "type", where)
        require("`tensor_split` is given a number or a vector", where.ndim <= 1, "shape", where)
        values = _tensorvet.entries(where)
        if values is None:
            return _tensorvet.unknown("the places of a split")
        where = values[0] if where.ndim == 0 else values
    return _split_places(input, where, place)


def _split_places(input, where, place):
    size = input.shape[place]
    if isinstance(where, int):
        require("a tensor is split into at least one part", where > 0, "value", input)
        lengths = [size // where + (1 if number < size % where else 0) for number in range(where)]
        return _split_at(input, lengths, place)
    start, parts = 0, []
    for bound in [*where, size]:
        stop = builtins.min(builtins.max(bound + size if bound < 0 else bound, 0), size)
        parts.append(narrow(input, place, start if stop > start else builtins.min(start, size), builtins.max(stop - start, 0)))
        start = stop
    return tuple(parts)


def _axis_split(name, least, place):
    def function(input: Tensor, indices_or_sections: ints1 = None, *, sections: int = None, indices: ints = None):
        where = _places(name, indices_or_sections, sections, indices)
        rank = input.ndim
        require("`" + name + "` takes at least " + str(least) + " axes", rank >= least, "shape", input)
        chosen = 0 if name == "hsplit" and rank == 1 else place
        if isinstance(where, int):
            require("the axis falls into equal parts", where > 0 and input.shape[chosen] % where == 0, "value", input)
        return _split_places(input, where, chosen)

    return _tensorvet.named(name, function)


hsplit, vsplit, dsplit = _axis_split("hsplit", 1, 1), _axis_split("vsplit", 2, 0), _axis_split("dsplit", 3, 2)


def meshgrid(*tensors: object, indexing=None):
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    require("`meshgrid` is given tensors", len(tensors) > 0, "value", raises=TypeError)
    if indexing is not None and not isinstance(indexing, str):
        raise TypeError("meshgrid(): argument 'indexing' must be str")
    require("`indexing` is 'ij' or 'xy'", indexing in (None, "ij", "xy"), "value")
    sizes = []
    for tensor in tensors:
        if not _tensorvet.is_tensor(tensor):
            raise TypeError("meshgrid() takes tensors")
        require("`meshgrid` takes vectors", tensor.ndim <= 1, "shape", tensor)
        require("`meshgrid` takes tensors of one type", kind_of(tensor) == kind_of(tensors[0]), "type", tensor)
        sizes.append(count(tensor.shape))
    if indexing == "xy" and len(sizes) >= 2:
        sizes[0], sizes[1] = sizes[1], sizes[0]
    return tuple(_elements.laid_along(tensors, sizes, indexing == "xy" and len(sizes) >= 2, [made(kind_of(tensor), sizes) for tensor in tensors]))


def cartesian_prod(*tensors: object):
    for tensor in tensors:
        if not _tensorvet.is_tensor(tensor):
            raise TypeError("cartesian_prod() takes tensors")
        require("`cartesian_prod` takes vectors", tensor.ndim == 1, "shape", tensor)
        require("`cartesian_prod` takes tensors of one type", kind_of(tensor) == kind_of(tensors[0]), "type", tensor)
    require("`cartesian_prod` is given tensors", len(tensors) > 0, "value")
    if len(tensors) == 1:
        return tensors[0]
    return made(kind_of(tensors[0]), [count([tensor.shape[0] for tensor in tensors]), len(tensors)])


def combinations(input: Tensor, r: int = 2, with_replacement: bool = False):
    require("`combinations` takes a vector", input.ndim == 1, "shape", input)
    require("`combinations` picks a number that is not negative", r >= 0, "value", input)
    if r == 0:
        return made(kind_of(input), [0])
    number, total = input.shape[0], 1
    for step in range(r):
        total = total * (number + step if with_replacement else number - step) // (step + 1)
    return made(kind_of(input), [builtins.max(total, 0), r])


def block_diag(*tensors: object):
    kind, rows, columns = None, 0, 0
    for tensor in tensors:
        if not _tensorvet.is_tensor(tensor):
            raise TypeError("block_diag() takes tensors")
        require("`block_diag` takes matrices at most", tensor.ndim <= 2, "shape", tensor)
        shape = [1] * (2 - tensor.ndim) + list(tensor.shape)
        rows, columns, kind = rows + shape[0], columns + shape[1], _types.two_promoted(kind, kind_of(tensor))
    require("`block_diag` is given tensors", len(tensors) > 0, "value")
    return made(kind, [rows, columns])


def repeat_interleave(input: Tensor, repeats: int | Tensor = None, dim: int | None = None, *, output_size: int | None = None):
    result = _interleaved(input, repeats, dim)
    place = 0 if repeats is None or dim is None else axis(dim, input.ndim, input)
    require("`output_size` is what the repetitions come to", output_size is None or result.shape[place] == output_size, "value", input)
    return result


def _interleaved(input, repeats, dim):
    result = _repeated(input, repeats, dim)
    return result if repeats is None else _tensorvet.like_those_of(result, input)


def _repeated(input, repeats, dim):
    if repeats is None:
        require("the numbers of repetitions are integers", kind_of(input) in ("i64", "i32"), "type", input, raises=NotImplementedError)
        require("the numbers of repetitions are a vector", input.ndim == 1, "shape", input)
        return made(kind_of(input), [_total(input)])
    shape = list(input.shape)
    if dim is None:
        shape = [count(shape)]
    place = axis(dim if dim is not None else 0, len(shape))
    shape = shape if shape else [1]
    if not _tensorvet.is_tensor(repeats):
        repeats = [repeats] if isinstance(repeats, int) else list(repeats)
        for number in repeats:
            require("nothing is repeated a negative number of times", number >= 0, "value", input)
        if len(repeats) == 1 and letter(input) == "i":
            # Where indices lie decides whether they fit.
            before, size, after = shape[:place], shape[place], shape[place + 1 :]
            apart = operate("reshape", input, shape=[*before, size, 1, *after], allowzero=True, _as="repeat_interleave")
            beside = operate("expand", apart, shape=[*before, size, repeats[0], *after], _as="repeat_interleave")
            return operate("reshape", beside, shape=[*before, size * repeats[0], *after], allowzero=True, _as="repeat_interleave")
        if len(repeats) == 1:
            shape[place] = shape[place] * repeats[0]
        else:
            require("there is a number of repetitions per element", len(repeats) == shape[place], "shape", input)
            shape[place] = builtins.sum(repeats)
        return made(kind_of(input), shape)
    require("the numbers of repetitions are integers", kind_of(repeats) in ("i64", "i32"), "type", repeats, raises=NotImplementedError)
    require("the numbers of repetitions are a vector", repeats.ndim <= 1, "shape", repeats)
    values, times = known(input), known(repeats)
    if values is not None and times is not None and len(shape) == 1 and len(times) == len(values) and kind_of(input) == "i64":
        numbers = [value for value, number in zip(values, times) for _ in range(number)]
        return _tensorvet.constant("i64", [len(numbers)], numbers)
    if count(repeats.shape) == 1:
        shape[place] = shape[place] * _total(repeats)
    else:
        require("there is a number of repetitions per element", repeats.shape[0] == shape[place], "shape", input, repeats)
        shape[place] = _total(repeats)
    return made(kind_of(input), shape)


def _total(repeats):
    values = _tensorvet.entries(repeats)
    if values is None:
        return _tensorvet.symbol("repeated", 0, 1 << 31, "the sum of the repetitions")
    for value in values:
        require("nothing is repeated a negative number of times", value >= 0, "value", repeats)
    return builtins.sum(values)
