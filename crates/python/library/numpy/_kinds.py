"""Element types by NumPy's names, and how they are promoted."""

import builtins

from torch import _types


class dtype:
    """A type of elements, which also makes numbers and arrays of it."""

    def __new__(cls, name="float64", kind=None, **options):
        return object.__new__(cls) if kind is not None else of(name)

    def __init__(self, name="float64", kind=None, **options):
        if kind is not None:
            self.name, self._kind, self.itemsize = name, kind, _types._BYTES.get(kind, 1)
            self.kind = {"b": "b", "i": "u" if kind == "u8" else "i", "u": "u", "h": "f", "f": "f", "c": "c"}[_types.LETTER[kind]]

    def __call__(self, value=0):
        from numpy import ndarray, _unwrapped

        if isinstance(value, (builtins.int, builtins.float, builtins.bool)):
            return {"f": builtins.float, "b": builtins.bool}.get(self.kind, builtins.int)(value)
        return ndarray._of(_unwrapped(value)).astype(self)

    def __eq__(self, other):
        other = of(other)
        return other is not None and other._kind == self._kind

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return "dtype('" + self.name + "')"

    def __str__(self):
        return self.name

    @property
    def type(self):
        return self


_NAMES = {"float32": "f32", "float64": "f64", "float16": "f16", "int64": "i64", "int32": "i32", "int16": "i16", "int8": "i8", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "bool": "bool", "complex64": "c64", "complex128": "c128"}
BY_NAME = {name: dtype(name, kind) for name, kind in _NAMES.items()}
_BY_KIND = {each._kind: each for each in BY_NAME.values()}
_OTHER = {"float": "float64", "int": "int64", "double": "float64", "single": "float32", "half": "float16", "long": "int64", "uint": "uint64", "intp": "int64", "f": "float32", "d": "float64", "f4": "float32", "f8": "float64", "i": "int32", "l": "int64", "i4": "int32", "i8": "int64", "u1": "uint8", "b1": "bool", "?": "bool", "B": "uint8", "bool_": "bool", "complex": "complex128"}


def of(value):
    """The type that something names."""
    if isinstance(value, dtype) or value is None:
        return value
    if isinstance(value, str):
        word = value.lstrip("<>=|")
        return BY_NAME.get(_OTHER.get(word, word))
    if isinstance(value, _types.dtype):
        return _BY_KIND.get(value._kind)
    return {builtins.float: BY_NAME["float64"], builtins.int: BY_NAME["int64"], builtins.bool: BY_NAME["bool"], complex: BY_NAME["complex128"]}.get(value)


def by_kind(kind):
    return _BY_KIND.get(kind)


def kind_named(value, default):
    found = of(value)
    return default if found is None else found._kind


_WIDE = ("i32", "i64", "u32", "u64")


def promoted(a, b):
    """The type of an operation between two arrays: wide integers make floats double."""
    if a is None or b is None or a == b:
        return a or b
    if _types.is_float(a) != _types.is_float(b) and (a in _WIDE or b in _WIDE) and "c" not in a + b:
        return "f64"
    if "u64" in (a, b) and (a if b == "u64" else b) in ("i8", "i16", "i32", "i64"):
        return "f64"
    if a[0] + b[0] in ("ui", "iu") and "bool" not in (a, b):
        unsigned, signed = (a, b) if a[0] == "u" else (b, a)
        return signed if _types._WIDTH[signed] > _types._WIDTH[unsigned] else {1: "i16", 2: "i32", 3: "i64"}[_types._WIDTH[unsigned]]
    return _types.two_promoted(a, b)


def floated(kind):
    """Floating-point numbers stay, others become doubles."""
    return kind if kind is None or _types.kind_class(kind) >= 2 else "f64"


def with_number(kind, number):
    """Python numbers count only by their class."""
    if kind is None:
        return None
    if isinstance(number, builtins.bool):
        return kind
    if isinstance(number, builtins.int):
        return "i64" if kind == "bool" else kind
    return ("c64" if kind in ("f32", "f16") else "c128") if isinstance(number, complex) and _types.kind_class(kind) < 3 else floated(kind)
