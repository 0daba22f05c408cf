"""Copies."""

import _system
import _tensorvet


class Error(Exception):
    pass


def copy(value):
    if hasattr(type(value), "__copy__"):
        return value.__copy__()
    return _system.shallow_copy(value)


def deepcopy(value, memo=None):
    if _tensorvet.is_tensor(value) and _tensorvet.gradient(value) == "derived":
        raise RuntimeError("only tensors that were made by the user, not computed, can be copied deeply: detach() first")
    if hasattr(type(value), "__deepcopy__"):
        return value.__deepcopy__({} if memo is None else memo)
    return _system.deep_copy(value)


def replace(value, **changes):
    return value.__replace__(**changes)
