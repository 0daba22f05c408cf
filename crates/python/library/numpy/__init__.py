"""NumPy by its shapes: an array is a tensor that follows NumPy's rules of types."""

import builtins

import _system
import _tensorvet
import _written
from _tensorvet import made, require
from numpy import _kinds
from numpy._kinds import BY_NAME, dtype
from torch import _functions as f
from torch import _types
from torch._creation import _nested, filled
from torch._rules import as_kind, kind_of, like
from torch._tensor import Tensor

for _name, _type in BY_NAME.items():
    _tensorvet.define(_name, _type)
bool_, float_, int_, double, single, half, intp, long, uint, complex_ = BY_NAME["bool"], float64, int64, float64, float32, float16, int64, int64, uint64, complex128
byte, ubyte, short, longlong = int8, uint8, int16, int64
pi, e, inf, nan, newaxis = 3.141592653589793, 2.718281828459045, 1e400, 1e400 - 1e400, None
__version__ = "2.3.0"


class generic:
    pass


number = integer = floating = signedinteger = unsignedinteger = generic


def _unwrapped(value):
    """An array as the tensor behind it, all through containers."""
    if isinstance(value, ndarray):
        return value._tensor
    if isinstance(value, (tuple, list)):
        return type(value)([_unwrapped(each) for each in value]) if builtins.any([isinstance(each, (ndarray, tuple, list)) for each in value]) else value
    return value


def _tensor_of(value, kind=None):
    """Whatever can be an array, as a tensor."""
    if isinstance(value, ndarray):
        found = value._tensor
    elif _tensorvet.is_tensor(value):
        found = value
    elif _tensorvet.is_unknown(value):
        # A number is an array without axes, whatever number it is.
        if _tensorvet.is_real(value):
            return made(kind or ("i64" if _tensorvet.decided(isinstance(value, builtins.int)) is True else "f64"), [])
        return _tensorvet.unknown_tensor(kind)
    elif hasattr(value, "mode") and hasattr(value, "size"):
        from torchvision.transforms.functional import get_dimensions

        channels, height, width = get_dimensions(value)
        found = made("bool" if value.mode == "1" else "u8", [height, width] if _tensorvet.decided(channels == 1) else [height, width, channels])
    else:
        found = _of_list(value, kind)
    return as_kind(found, kind) if kind is not None and not _tensorvet.is_unknown(found) else found


def _of_list(value, kind):
    value = value if isinstance(value, (list, tuple, builtins.int, builtins.float, complex, str)) else list(value)
    if isinstance(value, str) or (isinstance(value, (list, tuple)) and value and isinstance(value[0], (str, dict))):
        return _tensorvet.unknown("an array of objects")
    sizes, numbers = _nested(_unwrapped(value), True)
    if sizes is None:
        return _tensorvet.unknown_tensor(kind)
    if numbers is None:
        parts = [kind_of(each._tensor) for each in value if isinstance(each, ndarray)]
        return made(kind or (parts[0] if parts else None), sizes)
    found = "f64" if not numbers else None
    for number in numbers:
        each = "bool" if isinstance(number, builtins.bool) else "i64" if isinstance(number, builtins.int) else "c128" if isinstance(number, complex) else "f64"
        found = _kinds.promoted(found, each)
    return made(found, sizes) if found == "c128" else _tensorvet.constant(found, sizes, numbers)


def _array(tensor):
    return ndarray._of(tensor) if _tensorvet.is_tensor(tensor) else tensor


class ndarray:
    __array_priority__ = 0

    def __new__(cls, shape=(), dtype="float64", **options):
        return cls._of(made(_kinds.kind_named(dtype, "f64"), _sizes(shape)))

    @classmethod
    def _of(cls, tensor):
        array = object.__new__(ndarray)
        array._tensor = tensor
        return array

    @property
    def shape(self):
        return tuple(self._tensor.shape)

    @shape.setter
    def shape(self, sizes):
        self._tensor = f.reshape(self._tensor, tuple(_sizes(sizes)))

    @property
    def ndim(self):
        return self._tensor.ndim

    @property
    def size(self):
        return self._tensor.numel()

    @property
    def dtype(self):
        return _kinds.by_kind(kind_of(self._tensor))

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return self.size * self.itemsize

    @property
    def T(self):
        return transpose(self)

    @property
    def real(self):
        return self

    @property
    def flat(self):
        return iter(self.reshape(-1))

    def __len__(self):
        if self.ndim == 0:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self):
        return iter([_array(each) for each in self._tensor])

    def __getitem__(self, index):
        if isinstance(index, str):
            return _tensorvet.unknown("a field of an array")
        return _array(self._tensor[_index(index)])

    def __setitem__(self, index, value):
        value = _unwrapped(value) if isinstance(value, (ndarray, builtins.int, builtins.float, builtins.bool)) or _tensorvet.is_tensor(value) else _tensor_of(value)
        self._tensor[_index(index)] = as_kind(value, kind_of(self._tensor)) if _tensorvet.is_tensor(value) else value

    def __bool__(self):
        require("the truth of an array is that of one element", self.size == 1, "value", self._tensor)
        return _tensorvet.unknown("the value of an array", "bool")

    def __contains__(self, value):
        return _tensorvet.unknown("the values of an array", "bool")

    def __hash__(self):
        raise TypeError("unhashable type: 'numpy.ndarray'")

    def item(self, *index):
        return (self._tensor if not index else self[index]._tensor).item()

    def __int__(self):
        return builtins.int(self.item())

    def __float__(self):
        return builtins.float(self.item())

    def __index__(self):
        if self.ndim != 0:
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return self.item()

    def tolist(self):
        return self._tensor.tolist()

    def astype(self, dtype, **options):
        return _array(as_kind(self._tensor, _kinds.kind_named(dtype, None)))

    def copy(self, order="C"):
        return _array(like(self._tensor) if _tensorvet.entries(self._tensor) is None else self._tensor)

    def view(self, dtype=None, **options):
        return self

    def reshape(self, *shape, order="C"):
        return reshape(self, shape[0] if len(shape) == 1 else shape)

    def resize(self, *shape, **options):
        self._tensor = made(kind_of(self._tensor), _sizes(shape[0] if len(shape) == 1 else shape))

    def transpose(self, *axes):
        return transpose(self, axes[0] if len(axes) == 1 else axes or None)

    def fill(self, value):
        self._tensor = like(self._tensor)

    def sort(self, axis=-1, **options):
        return None

    def tobytes(self, *arguments):
        return _tensorvet.unknown("the bytes of an array", "bytes")

    def __array__(self, *arguments, **options):
        return self

    def __getattr__(self, name):
        function = _METHODS.get(name)
        if function is not None:
            return _tensorvet.bound(function, self)
        if name.startswith("__"):
            raise AttributeError("'numpy.ndarray' object has no attribute '" + name + "'")
        return _tensorvet.unknown("`numpy.ndarray." + name + "` is not modelled")


def _index(index):
    """An index with tensors for arrays; walking backwards leaves sizes as they are."""
    if isinstance(index, tuple):
        return tuple([_index(each) for each in index])
    if isinstance(index, slice) and isinstance(index.step, builtins.int) and index.step < 0:
        return slice(None, None, -index.step)
    if isinstance(index, list):
        return _tensor_of(index)
    return _unwrapped(index)


def _sizes(shape):
    return list(shape) if isinstance(shape, (tuple, list)) else [shape]


def array(object, dtype=None, copy=True, order="K", subok=False, ndmin=0, **options):
    found = _tensor_of(object, _kinds.kind_named(dtype, None))
    return _array(found)


def asarray(a, dtype=None, *arguments, **options):
    return a if isinstance(a, ndarray) and dtype is None else array(a, dtype)


ascontiguousarray = asanyarray = asfortranarray = asarray


def _full(name, number):
    def function(shape, dtype=None, order="C", **options):
        kind, sizes = _kinds.kind_named(dtype, "f64"), _sizes(shape)
        return _array(made(kind, sizes) if number is None else filled(kind, sizes, number))

    _tensorvet.define(name, function)

    def like_another(a, dtype=None, *arguments, shape=None, **options):
        tensor = _tensor_of(a)
        kind, sizes = _kinds.kind_named(dtype, kind_of(tensor)), list(tensor.shape) if shape is None else _sizes(shape)
        return _array(made(kind, sizes) if number is None else filled(kind, sizes, number))

    _tensorvet.define(name + "_like", like_another)


for _name, _number in (("zeros", 0), ("ones", 1), ("empty", None)):
    _full(_name, _number)


def full(shape, fill_value, dtype=None, **options):
    kind = _kinds.kind_named(dtype, None) or kind_of(_tensor_of(fill_value))
    return _array(made(kind, _sizes(shape)))


def full_like(a, fill_value, dtype=None, **options):
    return _array(like(_tensor_of(a), _kinds.kind_named(dtype, None)))


def eye(N, M=None, k=0, dtype=None, **options):
    return _array(made(_kinds.kind_named(dtype, "f64"), [N, N if M is None else M]))


identity = eye


def arange(start, stop=None, step=1, dtype=None, **options):
    start, stop = (0, start) if stop is None else (start, stop)
    whole = builtins.all([isinstance(each, builtins.int) for each in (start, stop, step)])
    return _array(as_kind(f.arange(start, stop, step), _kinds.kind_named(dtype, "i64" if whole else "f64")))


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    return _array(made(_kinds.kind_named(dtype, "f64"), [num]))


logspace = geomspace = linspace


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    sizes = [_tensor_of(each).numel() for each in xi]
    if indexing == "xy" and len(sizes) > 1:
        sizes = [sizes[1], sizes[0], *sizes[2:]]
    return tuple([_array(made(kind_of(_tensor_of(each)), sizes)) for each in xi])


def frombuffer(buffer, dtype="float64", count=-1, offset=0):
    return _array(made(_kinds.kind_named(dtype, "f64"), [_tensorvet.symbol("length", 0, 2147483646, "the length of a buffer") if count < 0 else count]))


fromfile = frombuffer


def memmap(filename, dtype="uint8", mode="r+", offset=0, shape=None, order="C"):
    kind = _kinds.kind_named(dtype, "u8")
    if shape is None:
        return _array(made(kind, [_tensorvet.symbol("length", 0, 2147483646, "the length of a file")]))
    return _array(made(kind, _sizes(shape)))


class _Archive(dict):
    """The arrays of an `.npz` file."""

    @property
    def files(self):
        return list(self)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def close(self):
        return None

    def __missing__(self, name):
        raise KeyError(name + " is not a file in the archive")


def load(file, mmap_mode=None, allow_pickle=False, fix_imports=True, encoding="ASCII", **options):
    place = file if isinstance(file, (str, builtins.int)) or hasattr(file, "__fspath__") else getattr(file, "name", None)
    written = _written.own(file)
    found = None if written is not None or _tensorvet.is_unknown(place) or place is None else _system.read_arrays(place)
    if found is None:
        written = written or _written.of_others(file)
    if written is not None:
        return _Archive(written[0]) if isinstance(written[0], dict) else written[0]
    if isinstance(found, dict):
        return _Archive({name: _array(each) for name, each in found.items()})
    if found is None or isinstance(found, str):
        # What holds objects is no array of numbers, and a file that is not here may be anywhere.
        return _array(_tensorvet.unknown_tensor(None))
    return _array(found)


def loadtxt(fname, dtype="float64", *arguments, **options):
    return _array(_tensorvet.unknown_tensor(_kinds.kind_named(dtype, "f64")))


genfromtxt = loadtxt


def _named(file, ending):
    """A file as NumPy calls it when it writes it."""
    place = _written.place_of(file)
    return place if file is not place or not _written.is_known(place) or place.endswith(ending) else place + ending


def save(file, arr, allow_pickle=True, **options):
    place = _named(file, ".npy")
    _written.write(file if place is None else place, array(arr))


def savez(file, *args, **kwds):
    place = _named(file, ".npz")
    arrays = {f"arr_{number}": array(each) for number, each in enumerate(args)}
    arrays.update({name: array(each) for name, each in kwds.items()})
    _written.write(file if place is None else place, arrays)


savez_compressed = savez


def savetxt(*arguments, **options):
    return None


set_printoptions = seterr = savetxt


class errstate:
    def __init__(self, **options):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


class finfo:
    """The limits of floating-point numbers."""

    _EPSILON = {"f16": 2.0 ** -10, "f32": 2.0 ** -23, "f64": 2.0 ** -52}
    _LARGEST = {"f16": 65504.0, "f32": 3.4028234663852886e38, "f64": 1.7976931348623157e308}

    def __init__(self, dtype):
        kind = _kinds.kind_named(dtype, "f64")
        self.eps = _array(_tensorvet.constant(kind, [], [self._EPSILON[kind]]))
        self.max, self.min, self.bits = self._LARGEST[kind], -self._LARGEST[kind], _types._BYTES[kind] * 8


class iinfo:
    def __init__(self, dtype):
        kind = _kinds.kind_named(dtype, "i64")
        bits = builtins.int(kind[1:])
        self.bits = bits
        self.min, self.max = (0, 2**bits - 1) if kind[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


from numpy._functions import *
from numpy import _functions
from numpy._functions import METHODS as _METHODS
from numpy._functions import abs, all, any, max, min, round, sum
from numpy import linalg, random


def __getattr__(name):
    return _tensorvet.unknown("`numpy." + name + "` is not modelled")
