"""Imports by name."""

import _system


def import_module(name, package=None):
    if name.startswith("."):
        rest = name.lstrip(".")
        above = (package or "").split(".")
        cut = len(name) - len(rest) - 1
        name = ".".join(above[:len(above) - cut] + ([rest] if rest else []))
    return _system.module(name)


def reload(module):
    return module


def invalidate_caches():
    return None
