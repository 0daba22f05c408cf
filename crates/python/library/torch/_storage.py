"""Saving and loading: what this program has saved is what it loads; of other files that are here the headers are read."""

import _system
import _tensorvet
from torch import _types

_SAVED = {}
# Streams in memory, each with what was saved to it.
_STREAMS = []


def _place(f):
    """Something that tells one file from another."""
    if isinstance(f, str):
        return f
    if hasattr(f, "__fspath__"):
        return f.__fspath__()
    return getattr(f, "name", None)


def save(obj, f, *arguments, **options):
    place = _place(f)
    if isinstance(place, str):
        _SAVED[place] = obj
    elif not _tensorvet.is_unknown(f):
        _STREAMS.append((f, obj))


def _is_known(place):
    return isinstance(place, str) and not _tensorvet.is_unknown(place)


def _made(what, given):
    """What a checkpoint holds besides plain data and tensors."""
    if what == "array":
        from numpy import ndarray

        return ndarray._of(given)
    if given.startswith("torch."):
        found = getattr(_types, given[len("torch."):], None)
        if isinstance(found, _types.dtype):
            return found
    return _tensorvet.unknown("`" + given + "` in a checkpoint")


def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **options):
    for stream, saved in _STREAMS:
        if stream is f:
            return saved
    place = _place(f)
    if not _is_known(place):
        return _tensorvet.unknown("what a file holds of which the name is not known")
    if place in _SAVED:
        return _SAVED[place]
    return read(place, "torch")


def read(place, form):
    """What a checkpoint holds that is here."""
    found = _system.read_checkpoint(place, form, _made)
    if found is not None:
        how, what = found
        if how == "read":
            return what
        if how == "broken":
            raise RuntimeError("`" + place + "` cannot be loaded: " + what)
        return _tensorvet.unknown("`" + place + "`, of which nothing is known: " + what)
    if _system.is_surely_absent(place):
        raise FileNotFoundError("[Errno 2] No such file or directory: '" + place + "'")
    return _tensorvet.unknown("what `" + place + "` holds, which is not here")
