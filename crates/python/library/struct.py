"""Numbers in bytes: sizes are exact."""

import _tensorvet

_SIZES = {"x": 1, "c": 1, "b": 1, "B": 1, "?": 1, "h": 2, "H": 2, "i": 4, "I": 4, "l": 4, "L": 4, "q": 8, "Q": 8, "e": 2, "f": 4, "d": 8, "s": 1}


class error(Exception):
    pass


def _fields(format):
    fields, count = [], ""
    for letter in format.lstrip("@=<>!").replace(" ", ""):
        if letter.isdigit():
            count += letter
            continue
        fields.append((letter, int(count) if count else 1))
        count = ""
    return fields


def calcsize(format):
    if format[:1] not in ("<", ">", "!", "="):
        return _tensorvet.unknown("a size that the machine decides", "int")
    return sum(_SIZES[letter] * count for letter, count in _fields(format))


def pack(format, *values):
    return _tensorvet.unknown("packed bytes", "bytes")


def unpack(format, data):
    fields = []
    for letter, count in _fields(format):
        if letter == "x":
            continue
        kind = "float" if letter in "efd" else "bytes" if letter in "sc" else "bool" if letter == "?" else "int"
        fields.extend([_tensorvet.unknown("what bytes say", kind)] * (1 if letter == "s" else count))
    return tuple(fields)


def unpack_from(format, buffer, offset=0):
    return unpack(format, buffer)


def iter_unpack(format, buffer):
    return _tensorvet.unknown("what bytes say")


def pack_into(format, buffer, offset, *values):
    return None


class Struct:
    def __init__(self, format):
        self.format = format
        self.size = calcsize(format)

    def pack(self, *values):
        return pack(self.format, *values)

    def unpack(self, data):
        return unpack(self.format, data)

    def unpack_from(self, buffer, offset=0):
        return unpack(self.format, buffer)
