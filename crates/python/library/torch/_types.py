"""Element types, how they are promoted, and devices."""


import _tensorvet


class dtype:
    def __init__(self, kind, name):
        self._kind = kind
        self._name = name
        self.is_floating_point = kind in ("f16", "bf16", "f32", "f64")
        self.is_complex = kind in ("c64", "c128")
        self.is_signed = kind not in ("bool", "u8", "u16", "u32", "u64")
        self.itemsize = _BYTES.get(kind, 1)

    def __repr__(self):
        return "torch." + self._name


_BYTES = {"u16": 2, "i16": 2, "f16": 2, "bf16": 2, "u32": 4, "i32": 4, "f32": 4, "u64": 8, "i64": 8, "f64": 8, "c64": 8, "c128": 16}

float32 = float = dtype("f32", "float32")
float64 = double = dtype("f64", "float64")
float16 = half = dtype("f16", "float16")
bfloat16 = dtype("bf16", "bfloat16")
int64 = long = dtype("i64", "int64")
int32 = int = dtype("i32", "int32")
int16 = short = dtype("i16", "int16")
int8 = dtype("i8", "int8")
uint8 = dtype("u8", "uint8")
uint16 = dtype("u16", "uint16")
uint32 = dtype("u32", "uint32")
uint64 = dtype("u64", "uint64")
bool = dtype("bool", "bool")
complex64 = cfloat = dtype("c64", "complex64")
complex128 = cdouble = dtype("c128", "complex128")

_ALL = [float32, float64, float16, bfloat16, int64, int32, int16, int8, uint8, uint16, uint32, uint64, bool, complex64, complex128]
_BY_KIND = {each._kind: each for each in _ALL}
# Bool, integers, half floats, floats, complex numbers: functions say by these letters what they take.
LETTER = {"bool": "b", "u8": "i", "i8": "i", "i16": "i", "i32": "i", "i64": "i", "u16": "u", "u32": "u", "u64": "u"}
LETTER.update({"f16": "h", "bf16": "h", "f32": "f", "f64": "f", "c64": "c", "c128": "c"})
# A higher class wins; in one class the wider type.
_CLASS = {"b": 0, "i": 1, "u": 1, "h": 2, "f": 2, "c": 3}
_WIDTH = {"bool": 0, "u8": 1, "i8": 1, "i16": 2, "u16": 2, "i32": 3, "u32": 3, "i64": 4, "u64": 4, "f16": 2, "bf16": 2, "f32": 3, "f64": 4, "c64": 3, "c128": 4}
_COMPLEX = {"f32": "c64", "f64": "c128", "f16": "c64", "bf16": "c64", "c64": "c64", "c128": "c128"}
# What numbers become among tensors; see `set_default_dtype`.
DEFAULT = {"float": "f32", "complex": "c64"}
_REAL = {"c64": "f32", "c128": "f64"}


def by_kind(kind):
    return _BY_KIND.get(kind)


def kind_class(kind):
    return _CLASS[LETTER[kind]]


def is_float(kind):
    return kind in ("f16", "bf16", "f32", "f64")


def two_promoted(a, b):
    if a == b or b is None:
        return a
    if a is None:
        return b
    x, y = kind_class(a), kind_class(b)
    if x != y:
        higher, lower = (a, b) if x > y else (b, a)
        return "c128" if higher == "c64" and lower == "f64" else higher
    if "u8" in (a, b) and "i8" in (a, b):
        return "i16"
    if "f16" in (a, b) and "bf16" in (a, b):
        return "f32"
    return a if _WIDTH[a] > _WIDTH[b] else b


def promoted(*kinds):
    result = None
    for kind in kinds:
        result = two_promoted(result, kind)
    return result


def of_number(number):
    """The type that a Python number has among tensors."""
    if isinstance(number, type(True)):
        return "bool"
    if isinstance(number, type(1)):
        return "i64"
    return DEFAULT["complex" if isinstance(number, complex) else "float"]


def with_number(kind, number):
    """The type of an operation between a tensor of a type and a Python number."""
    return with_lower(kind, of_number(number))


def with_lower(kind, other):
    """The type together with one that counts only if its class is higher: of numbers, and of tensors without axes."""
    if kind is None:
        return None
    if kind_class(other) <= kind_class(kind):
        return kind
    return complex_of(kind) if kind_class(other) == 3 and kind_class(kind) == 2 else other


def floated(kind):
    """The type itself where it is floating point or complex, else the default one."""
    return kind if kind is None or kind_class(kind) >= 2 else DEFAULT["float"]


def summed(kind):
    """Small integers are added as int64."""
    return kind if kind is None or kind_class(kind) >= 2 else "i64"


def real_of(kind):
    return _REAL.get(kind, kind)


def complex_of(kind):
    return _COMPLEX.get(kind, "c64")


_whole = type(0)
_DEVICES = "cpu cuda ipu xpu mkldnn opengl opencl ideep hip ve fpga maia xla lazy vulkan mps meta hpu mtia privateuseone".split()


class device:
    def __init__(self, type="cpu", index=None):
        if isinstance(type, device):
            type, index = type.type, type.index
        if _tensorvet.is_unknown(type):
            self.type, self.index = type, index
            return
        name, colon, number = str(type).partition(":")
        if name.isalpha() and name not in _DEVICES:
            raise RuntimeError("Expected one of cpu, cuda, xpu, mps, meta and other device types at start of device string: " + name)
        if name not in _DEVICES or colon and not number.isdigit():
            raise RuntimeError("Invalid device string: '" + str(type) + "'")
        self.type = name
        self.index = _whole(number) if number else index

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def __repr__(self):
        return "device(type='" + self.type + ("')" if self.index is None else "', index=" + str(self.index) + ")")

    def __str__(self):
        return self.type if self.index is None else self.type + ":" + str(self.index)

    def __hash__(self):
        return hash(str(self))

    def __eq__(self, other):
        return str(self) == str(other)


class _Named:
    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return "torch." + self._name


class memory_format(_Named):
    pass


class layout(_Named):
    pass


class Generator:
    def __init__(self, device="cpu"):
        self.device = device

    def manual_seed(self, seed):
        return self


contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")
channels_last = memory_format("channels_last")
channels_last_3d = memory_format("channels_last_3d")

_TENSOR_TYPES = {"f32": "Float", "f64": "Double", "f16": "Half", "bf16": "BFloat16", "i64": "Long", "i32": "Int", "i16": "Short", "i8": "Char", "u8": "Byte", "bool": "Bool", "c64": "ComplexFloat", "c128": "ComplexDouble"}


def tensor_type(kind):
    """The older name of an element type."""
    return _tensorvet.unknown("a type that is not known", "str") if kind is None else "torch." + _TENSOR_TYPES[kind] + "Tensor"


def of_tensor_type(type):
    """An element type by itself, by its older name, or by the class of that name."""
    if isinstance(type, str):
        name = type.split(".")[-1]
        for kind, word in _TENSOR_TYPES.items():
            if name == word + "Tensor" and type.startswith("torch."):
                return by_kind(kind)
        raise ValueError("invalid type: '" + type + "'")
    return by_kind(type._kind) if not isinstance(type, dtype) and hasattr(type, "_kind") else type

# Whether the program asks for channels last anywhere.
FORMATTED = []
strided = layout("strided")
sparse_coo = layout("sparse_coo")


class finfo:
    """The limits of floating-point numbers."""

    __complete__ = True
    _EPSILON = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23, "f64": 2.0**-52}
    _LARGEST = {"f16": 65504.0, "bf16": 3.3895313892515355e38, "f32": 3.4028234663852886e38, "f64": 1.7976931348623157e308}
    _TINY = {"f16": 2.0**-14, "bf16": 2.0**-126, "f32": 2.0**-126, "f64": 2.0**-1022}
    _RESOLUTION = {"f16": 0.001, "bf16": 0.01, "f32": 1e-06, "f64": 1e-15}

    def __init__(self, type=None):
        kind = {"c64": "f32", "c128": "f64"}.get(type._kind, type._kind) if type is not None else DEFAULT["float"]
        if kind not in self._EPSILON:
            raise TypeError("torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'")
        self.eps, self.max, self.min = self._EPSILON[kind], self._LARGEST[kind], -self._LARGEST[kind]
        self.tiny = self.smallest_normal = self._TINY[kind]
        self.resolution, self.bits, self.dtype = self._RESOLUTION[kind], _BYTES[kind] * 8, by_kind(kind)._name


class iinfo:
    """The limits of integers."""

    __complete__ = True

    def __init__(self, type):
        if LETTER[type._kind] not in "iu":
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        self.bits = type.itemsize * 8
        self.max = 2 ** (self.bits - 1 if type.is_signed else self.bits) - 1
        self.min = -self.max - 1 if type.is_signed else 0
        self.dtype = type._name
