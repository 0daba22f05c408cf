"""Saving and loading: what this program has saved is what it loads; of other files nothing is known."""

import _tensorvet

_SAVED = {}


def _place(f):
    """Something that tells one file from another."""
    return f if isinstance(f, str) else getattr(f, "name", None)


def save(obj, f, *arguments, **options):
    place = _place(f)
    if isinstance(place, str):
        _SAVED[place] = obj


def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **options):
    place = _place(f)
    if isinstance(place, str) and not _tensorvet.is_unknown(place) and place in _SAVED:
        return _SAVED[place]
    return _tensorvet.unknown("what a file holds that is not read")
