"""Axes by their names: patterns are checked against each other and against the tensors."""

import builtins

import _tensorvet
from _tensorvet import require
from einops._patterns import ELLIPSIS, EinopsError, Side, shown, sides
from torch import _functions as f
from torch import _types
from torch._rules import kind_of

__version__ = "0.8.2"


def _product(sizes):
    total = 1
    for size in sizes:
        total = total * size
    return total


def _behind(tensor):
    """The tensor that is meant, and how to give a result of the same kind."""
    if isinstance(tensor, (list, tuple)):
        if len(tensor) == 0:
            raise TypeError("a list of tensors holds at least one")
        parts = [_behind(each) for each in tensor]
        return f.stack([part for part, _ in parts]), parts[0][1]
    if not _tensorvet.is_tensor(tensor) and not _tensorvet.is_unknown(tensor) and hasattr(tensor, "_tensor"):
        return tensor._tensor, type(tensor)._of
    return tensor, lambda result: result


def _spread(side, hidden):
    """The groups of a side, with the axes that the dots stand for in their place."""
    groups, dots = [], [(ELLIPSIS, place) for place in range(hidden)]
    for group in side.groups:
        if group == [ELLIPSIS] and not side.is_inside:
            groups.extend([[dot] for dot in dots])
        else:
            groups.append([word for name in group for word in (dots if name == ELLIPSIS else [name])])
    return groups


def _sizes(tensor, left, groups, lengths):
    """The size of every name on the left side."""
    sizes = dict(lengths)
    for group, size in zip(groups, tensor.shape):
        open_names = [name for name in group if not isinstance(name, tuple) and name not in sizes or isinstance(name, tuple) and name[0] == ELLIPSIS]
        known = _product([sizes[name] if not isinstance(name, tuple) else name[0] for name in group if name not in open_names])
        if len(open_names) > 1:
            raise EinopsError("the sizes of " + ", ".join(open_names) + " in `" + shown(group) + "` are not known: give all but one of them")
        if not open_names:
            require("the axis `" + (shown(group) if group else "1") + "` of the pattern has the size of the tensor's", size == known, "shape", tensor)
        else:
            if len(group) > 1:
                require("the axis `" + shown(group) + "` of the pattern divides by the sizes given", known > 0 and size % known == 0, "shape", tensor)
            sizes[open_names[0]] = size if len(group) == 1 else size // known
    return sizes


def _transformed(tensor, pattern, operation, lengths):
    given, wrapped = _behind(tensor)
    if _tensorvet.is_unknown(given):
        return _tensorvet.unknown("axes of something unknown")
    if not _tensorvet.is_tensor(given):
        raise RuntimeError("einops takes tensors and arrays, not " + type(given).__name__)
    if _tensorvet.is_unknown(pattern):
        return wrapped(_tensorvet.unknown_tensor(kind_of(given)))
    for name, length in lengths.items():
        if not isinstance(length, int) and not _tensorvet.is_tensor(length) and not _tensorvet.is_unknown(length):
            raise RuntimeError("sizes in a pattern are whole numbers, and `" + name + "` is " + type(length).__name__)
    left, right = sides(pattern, operation if isinstance(operation, str) else "reduce", lengths)
    return wrapped(_moved(given, left, right, operation, lengths))


def _moved(tensor, left, right, operation, lengths):
    if _tensorvet.is_unknown(_tensorvet.shape(tensor)):
        return _tensorvet.unknown_tensor(kind_of(tensor))
    if left.has_ellipsis:
        require("the tensor has the axes that the pattern names", tensor.ndim >= len(left.groups) - 1, "shape", tensor)
    else:
        require("the pattern names every axis of the tensor", tensor.ndim == len(left.groups), "shape", tensor)
    hidden = tensor.ndim - len(left.groups) + 1 if left.has_ellipsis else 0
    before, after = _spread(left, hidden), _spread(right, hidden)
    sizes = _sizes(tensor, left, before, lengths)
    length = lambda name: sizes[name] if name in sizes else name[0]
    names = [name for group in before for name in group]
    kept = [name for group in after for name in group]
    result = f.reshape(tensor, tuple([length(name) for name in names])) if builtins.any([len(group) != 1 for group in before]) else tensor
    gone = [place for place, name in enumerate(names) if name not in kept]
    if gone:
        result = _reduced(result, operation, tuple(gone))
        names = [name for name in names if name in kept]
    # Old axes in their new order, then those that are new.
    order = [names.index(name) for name in kept if name in names]
    if order != list(range(len(order))):
        result = f.permute(result, tuple(order))
    if len(kept) > len(names):
        result = f.reshape(result, tuple([length(name) if name in names else 1 for name in kept]))
        result = result.expand(*[length(name) for name in kept])
    if builtins.any([len(group) != 1 for group in after]):
        result = f.reshape(result, tuple([_product([length(name) for name in group]) for group in after]))
    return result


_REDUCTIONS = ("min", "max", "sum", "mean", "prod", "any", "all")


def _reduced(tensor, operation, places):
    if not isinstance(operation, str):
        return operation(tensor, places)
    if operation in ("max", "min"):
        return f.amax(tensor, places) if operation == "max" else f.amin(tensor, places)
    if operation == "mean":
        kind = kind_of(tensor)
        if kind is not None and not _types.is_float(kind):
            raise NotImplementedError("the mean is there for floating-point tensors only, and this is " + str(_types.by_kind(kind)))
        return f.mean(tensor, places)
    if operation == "sum":
        return f.sum(tensor, places)
    if operation in ("prod", "any", "all"):
        for place in sorted(places, reverse=True):
            tensor = getattr(f, operation)(tensor, place)
        return tensor
    raise EinopsError("there is no reduction " + repr(operation))


def rearrange(tensor, pattern, **axes_lengths):
    return _transformed(tensor, pattern, "rearrange", axes_lengths)


def repeat(tensor, pattern, **axes_lengths):
    return _transformed(tensor, pattern, "repeat", axes_lengths)


def reduce(tensor, pattern, reduction, **axes_lengths):
    if isinstance(reduction, str) and reduction not in _REDUCTIONS:
        raise EinopsError("there is no reduction " + repr(reduction) + ", only " + ", ".join(_REDUCTIONS))
    return _transformed(tensor, pattern, reduction, axes_lengths)


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _letters(text, letters):
    """One operand of `einsum` with a letter for each name."""
    side = Side(text, True)
    word = ""
    for group in side.groups:
        if len(group) != 1:
            raise NotImplementedError("einsum takes names only, no brackets and no 1: rearrange first")
        name = group[0]
        if isinstance(name, tuple):
            raise NotImplementedError("einsum takes names only, no numbers")
        if name == ELLIPSIS:
            word = word + "..."
            continue
        if name not in letters:
            if len(letters) == len(_LETTERS):
                raise RuntimeError("einsum has letters for 52 names, and there are more")
            letters[name] = _LETTERS[len(letters)]
        word = word + letters[name]
    return word


def einsum(*tensors_and_pattern):
    if len(tensors_and_pattern) <= 1:
        raise ValueError("einsum takes tensors and then a pattern")
    pattern = tensors_and_pattern[-1]
    if not isinstance(pattern, str):
        raise ValueError("the pattern of einsum comes last, after the tensors")
    tensors = [_behind(tensor) for tensor in tensors_and_pattern[:-1]]
    if "->" not in pattern:
        raise ValueError("the pattern of einsum says what comes out, after `->`")
    inputs, output = pattern.split("->")
    letters = {}
    words = [_letters(text, letters) for text in inputs.split(",")]
    compact = ",".join(words) + "->" + _letters(output, letters)
    return tensors[0][1](f.einsum(compact, *[tensor for tensor, _ in tensors]))


def _star(pattern, name):
    """How many axes a pattern has before and after its star."""
    words = pattern.split()
    named = [word for word in words if word != "*"]
    if len(set(named)) != len(named):
        raise EinopsError("a name stands twice in " + repr(pattern))
    if words.count("*") != 1:
        raise EinopsError("the pattern of " + name + " has one `*`, and this is " + repr(pattern))
    for word in named:
        if not word.isidentifier() or word[0] == "_" or word[-1] == "_":
            raise EinopsError(repr(word) + " is no name of an axis")
    before = words.index("*")
    return before, len(words) - before - 1


def pack(tensors, pattern):
    before, after = _star(pattern, "pack")
    parts = [_behind(tensor) for tensor in tensors]
    if not parts:
        raise EinopsError("pack takes at least one tensor")
    flat, shapes = [], []
    for tensor, _ in parts:
        require("every tensor has the axes that the pattern names", tensor.ndim >= before + after, "shape", tensor)
        shape, end = tuple(tensor.shape), tensor.ndim - after
        shapes.append(shape[before:end])
        flat.append(f.reshape(tensor, (*shape[:before], _product(shape[before:end]), *shape[end:])))
    return parts[0][1](f.cat(flat, before)), shapes


def unpack(tensor, packed_shapes, pattern):
    tensor, wrapped = _behind(tensor)
    before, after = _star(pattern, "unpack")
    require("the tensor has the axes that the pattern names", tensor.ndim == before + after + 1, "shape", tensor)
    size, shape = tensor.shape[before], tuple(tensor.shape)
    open_shapes = [each for each in packed_shapes if -1 in each]
    if len(open_shapes) > 1:
        raise EinopsError("unpack can leave one shape open, and these are several: " + repr(packed_shapes))
    known = [_product(each) for each in packed_shapes if -1 not in each]
    total = builtins.sum(known)
    if not open_shapes:
        require("the shapes have as many elements as the axis that is unpacked", total == size, "shape", tensor)
    results, start = [], 0
    for each in packed_shapes:
        if -1 in each:
            length, inner = size - total, _product([part for part in each if part != -1])
            require("what is left of the axis can be split", inner > 0 and length >= 0 and length % inner == 0, "shape", tensor)
            each = tuple([length // inner if part == -1 else part for part in each])
        else:
            length = _product(each)
        results.append(wrapped(f.reshape(f.narrow(tensor, before, start, length), (*shape[:before], *each, *shape[before + 1:]))))
        start = start + length
    return results


def parse_shape(x, pattern):
    side = Side(pattern, True)
    tensor, _ = _behind(x)
    shape = tuple(tensor.shape)
    if side.has_ellipsis:
        if len(shape) < len(side.groups) - 1:
            raise RuntimeError("the pattern names more axes than the tensor has: " + str(shape))
        place = side.groups.index([ELLIPSIS])
        groups = side.groups[:place] + [["_"]] * (len(shape) - len(side.groups) + 1) + side.groups[place + 1:]
    else:
        groups = side.groups
        if len(shape) != len(groups):
            raise RuntimeError("the pattern " + repr(pattern) + " does not name every axis of " + str(shape))
    result = {}
    for group, size in zip(groups, shape):
        if len(group) > 1:
            raise RuntimeError("parse_shape takes no brackets: " + repr(pattern))
        name = group[0] if group else (1, 0)
        if isinstance(name, tuple):
            if size != name[0]:
                raise RuntimeError("an axis that the pattern gives as " + str(name[0]) + " has another size: " + str(shape))
        elif name != "_":
            result[name] = size
    return result


def asnumpy(tensor):
    return tensor.numpy() if _tensorvet.is_tensor(tensor) else tensor
