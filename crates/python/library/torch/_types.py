"""Element types and devices."""


class dtype:
    def __init__(self, kind, name):
        self._kind = kind
        self._name = name
        self.is_floating_point = kind in ("f16", "bf16", "f32", "f64")
        self.is_complex = kind in ("c64", "c128")

    def __repr__(self):
        return "torch." + self._name


float32 = float = dtype("f32", "float32")
float64 = double = dtype("f64", "float64")
float16 = half = dtype("f16", "float16")
bfloat16 = dtype("bf16", "bfloat16")
int64 = long = dtype("i64", "int64")
int32 = int = dtype("i32", "int32")
int16 = short = dtype("i16", "int16")
int8 = dtype("i8", "int8")
uint8 = dtype("u8", "uint8")
bool = dtype("bool", "bool")
complex64 = dtype("c64", "complex64")
complex128 = dtype("c128", "complex128")

_ALL = [float32, float64, float16, bfloat16, int64, int32, int16, int8, uint8, bool, complex64, complex128]
_BY_KIND = {each._kind: each for each in _ALL}
# Bool, integers by width, floats by width: a higher class wins, in one class the wider.
_CLASS = {"bool": 0, "u8": 1, "i8": 1, "i16": 1, "i32": 1, "i64": 1, "f16": 2, "bf16": 2, "f32": 2, "f64": 2, "c64": 3, "c128": 3}
_WIDTH = {"bool": 0, "u8": 1, "i8": 1, "i16": 2, "i32": 3, "i64": 4, "f16": 2, "bf16": 2, "f32": 3, "f64": 4, "c64": 3, "c128": 4}


def by_kind(kind):
    return _BY_KIND.get(kind)


def two_promoted(a, b):
    if a == b or b is None:
        return a
    if a is None:
        return b
    if _CLASS[a] != _CLASS[b]:
        return a if _CLASS[a] > _CLASS[b] else b
    if {a, b} == {"u8", "i8"}:
        return "i16"
    if {a, b} == {"f16", "bf16"}:
        return "f32"
    return a if _WIDTH[a] > _WIDTH[b] else b


def promoted(*kinds):
    result = None
    for kind in kinds:
        result = two_promoted(result, kind)
    return result


def with_number(kind, number):
    """The type of an operation between a tensor of a type and a Python number."""
    if isinstance(number, (type(True), type(1))):
        if kind == "bool" and not isinstance(number, type(True)):
            return "i64"
        return kind
    return kind if kind is None or _CLASS[kind] >= 2 else "f32"


class device:
    def __init__(self, type="cpu", index=None):
        self.type = str(type).split(":")[0]
        self.index = index

    def __repr__(self):
        return "device(type='" + self.type + "')"

    def __eq__(self, other):
        return str(self) == str(other)
