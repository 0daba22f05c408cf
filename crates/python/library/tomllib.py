"""TOML: files that are there are read."""

import _system


class TOMLDecodeError(ValueError):
    pass


def loads(text, *, parse_float=float):
    try:
        return _system.toml_value(text)
    except ValueError as error:
        raise TOMLDecodeError(*error.args) from None


def load(file, *, parse_float=float):
    return loads(file.read())
