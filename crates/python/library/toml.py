"""TOML: files that are there are read."""

import _tensorvet
from tomllib import loads, TOMLDecodeError as TomlDecodeError


def load(file, *arguments):
    if isinstance(file, str):
        file = open(file)
    return loads(file.read())


def dumps(value, *arguments):
    return _tensorvet.unknown("a text in TOML", "str")


def dump(value, file, *arguments):
    return dumps(value)
