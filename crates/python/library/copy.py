"""Copies."""

import _system


class Error(Exception):
    pass


def copy(value):
    if hasattr(type(value), "__copy__"):
        return value.__copy__()
    return _system.shallow_copy(value)


def deepcopy(value, memo=None):
    if hasattr(type(value), "__deepcopy__"):
        return value.__deepcopy__({} if memo is None else memo)
    return _system.deep_copy(value)


def replace(value, **changes):
    return value.__replace__(**changes)
