"""Tensors of PyTorch in files, by name."""

import _tensorvet
from torch import _storage


def save_file(tensors, filename, metadata=None):
    if not _tensorvet.is_unknown(tensors):
        _storage.save({name: tensor for name, tensor in tensors.items()}, filename)


def load_file(filename, device="cpu"):
    return _storage.stored(filename, "safetensors")


def save_model(model, filename, metadata=None, force_contiguous=True):
    save_file(model.state_dict(), filename)


def load_model(model, filename, strict=True, device="cpu"):
    found = model.load_state_dict(load_file(filename), strict=strict)
    return _tensorvet.unknown("what fits a state that is not known") if _tensorvet.is_unknown(found) else (set(found.missing_keys), list(found.unexpected_keys))


def save(tensors, metadata=None):
    return _tensorvet.unknown("tensors as bytes", "bytes")


def load(data):
    return _tensorvet.unknown("tensors of bytes")
