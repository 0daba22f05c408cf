"""Pickles: what was written is what is read; what is in other files is not known, and nothing is executed."""

import _tensorvet
import _written

HIGHEST_PROTOCOL = 5
DEFAULT_PROTOCOL = 5


class PickleError(Exception):
    pass


class PicklingError(PickleError):
    pass


class UnpicklingError(PickleError):
    pass


class _Bytes:
    """A pickle in memory."""

    def __init__(self, value):
        self.value = value

    def __len__(self):
        return _tensorvet.symbol("bytes", 1, 2147483646, "the length of a pickle")


def dump(obj, file, protocol=None, *, fix_imports=True, buffer_callback=None):
    _written.write(file, obj)


def load(file, *, fix_imports=True, encoding="ASCII", errors="strict", buffers=None):
    found = _written.read(file)
    return found[0] if found is not None else _tensorvet.unknown("what a pickle holds")


def dumps(obj, protocol=None, *, fix_imports=True, buffer_callback=None):
    return _Bytes(obj)


def loads(data, *, fix_imports=True, encoding="ASCII", errors="strict", buffers=None):
    if isinstance(data, _Bytes):
        from copy import deepcopy

        return deepcopy(data.value)
    return _tensorvet.unknown("what a pickle holds")


class Pickler:
    def __init__(self, file, protocol=None, **options):
        self._file = file

    def dump(self, obj):
        dump(obj, self._file)


class Unpickler:
    def __init__(self, file, **options):
        self._file = file

    def load(self):
        return load(self._file)
