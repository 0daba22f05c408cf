"""Tensors in files, by name."""

import _tensorvet
from torch import _storage


class SafetensorError(Exception):
    pass


class safe_open:
    """A file whose tensors are looked at one by one."""

    def __init__(self, filename, framework="pt", device="cpu"):
        self._held = _storage.stored(filename, "safetensors")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def keys(self):
        return self._held.keys() if not _tensorvet.is_unknown(self._held) else _tensorvet.unknown("the names of a file", "list")

    offset_keys = keys

    def metadata(self):
        return _tensorvet.unknown("what is said beside tensors")

    def get_tensor(self, name):
        if _tensorvet.is_unknown(self._held):
            return _tensorvet.unknown_tensor(None)
        if name not in self._held:
            raise SafetensorError("File does not contain tensor " + name)
        return self._held[name]

    def get_slice(self, name):
        return self.get_tensor(name)
