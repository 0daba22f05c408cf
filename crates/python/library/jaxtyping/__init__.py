"""Annotations that say type and axes of an array: `Float[Tensor, "batch channels"]`.

They are facts of arguments that nobody gives, and requirements where a type checker looks at them; elsewhere they are
mere hints.
"""

import _system
import _tensorvet
from _tensorvet import require
from torch._types import LETTER

_FLOATS, _INTS, _UINTS = ("f16", "bf16", "f32", "f64"), ("i8", "i16", "i32", "i64"), ("u8", "u16", "u32", "u64")
_COMPLEX = ("c64", "c128")


class Described:
    """An array of some types with named axes."""

    def __init__(self, array, name, kinds, axes):
        self.array, self.name, self.kinds, self.axes = array, name, kinds, axes
        self.words = axes.split()
        open_words = [word for word in self.words if word == "..." or word.startswith("*")]
        if len(open_words) > 1:
            raise ValueError("one part of the axes may have any length, and these are several: " + repr(axes))

    def __repr__(self):
        return self.name + '[Tensor, "' + self.axes + '"]'

    def __or__(self, other):
        from typing import Union

        return Union[self, other]

    __ror__ = __or__

    def kind(self):
        """The type of an argument that nobody gives; None if it may be of several classes."""
        classes = [LETTER[kind] for kind in self.kinds or () if LETTER[kind] != "h"]
        one = classes and all([each == classes[0] for each in classes])
        usual = {"f": "f32", "i": "i64", "u": "u8", "b": "bool", "c": "c64"}
        return self.kinds[0] if self.kinds is not None and len(self.kinds) == 1 else usual[classes[0]] if one else None

    def sizes(self):
        """For each axis a number, or its name, or None for any size; None if the number of axes is open."""
        found = []
        for word in self.words:
            word = word.lstrip("#?")
            if word == "..." or word.startswith("*"):
                return None
            named = word.split("=")[-1]
            found.append(int(named) if named.isdecimal() else named if named.isidentifier() and not named.startswith("_") else None)
        return found

    def meets(self, what, tensor, memo):
        """States that a tensor is as described; `memo` knows the sizes that names have had."""
        if _tensorvet.is_unknown(tensor):
            return
        if not _tensorvet.is_tensor(tensor):
            if hasattr(tensor, "_tensor"):
                tensor = tensor._tensor
            else:
                raise TypeError(what + " is " + repr(self) + ", and this is " + type(tensor).__name__)
        kind = _tensorvet.kind(tensor)
        require(what + " holds elements of " + self.name, kind is None or self.kinds is None or kind in self.kinds, "type", tensor)
        if _tensorvet.is_unknown(_tensorvet.shape(tensor)):
            return
        words, sizes = self.words, list(tensor.shape)
        open_place = next((place for place, word in enumerate(words) if word == "..." or word.startswith("*")), None)
        if open_place is None:
            require(what + " is " + repr(self) + ", and has its axes", len(sizes) == len(words), "shape", tensor)
        else:
            require(what + " is " + repr(self) + ", and has its axes", len(sizes) >= len(words) - 1, "shape", tensor)
            extra = len(sizes) - len(words) + 1
            inner = tuple(sizes[open_place:open_place + extra])
            if words[open_place].startswith("*"):
                self._same(what, words[open_place], inner, tensor, memo)
            words = words[:open_place] + words[open_place + 1:]
            sizes = sizes[:open_place] + sizes[open_place + extra:]
        for word, size in zip(words, sizes):
            self._axis(what, word, size, tensor, memo)

    def _axis(self, what, word, size, tensor, memo):
        broadcasts = word.startswith("#")
        word = word.lstrip("#?").split("=")[-1]
        if word.startswith("_"):
            return
        if word.isdecimal():
            number = int(word)
            require("the axis `" + word + "` of " + what + " has that size", size == number or broadcasts and size == 1, "shape", tensor)
        elif not word.isidentifier():
            number = _computed(word, memo)
            if number is not None:
                require("the axis `" + word + "` of " + what + " has that size", size == number or broadcasts and size == 1, "shape", tensor)
        elif not broadcasts:
            self._same(what, word, size, tensor, memo)

    def _same(self, what, word, size, tensor, memo):
        if word in memo:
            require("the axis `" + word + "` of " + what + " has the size that `" + word + "` has elsewhere", size == memo[word], "shape", tensor)
        else:
            memo[word] = size


def _computed(word, memo):
    """`dim+1` and the like, where the name is known."""
    for sign in ("+", "-", "*"):
        first, found, second = word.partition(sign)
        if found and first.isidentifier() and second.isdecimal() and first in memo:
            number = int(second)
            return memo[first] + number if sign == "+" else memo[first] - number if sign == "-" else memo[first] * number
    return None


class _Kind:
    """What stands before the brackets."""

    def __init__(self, name, kinds):
        self._name, self._kinds = name, kinds

    def __getitem__(self, arguments):
        array, axes = arguments if isinstance(arguments, tuple) else (arguments, "...")
        return Described(array, self._name, self._kinds, axes) if isinstance(axes, str) and not _tensorvet.is_unknown(axes) else array


Float, Int, UInt, Complex, Bool = _Kind("Float", _FLOATS), _Kind("Int", _INTS), _Kind("UInt", _UINTS), _Kind("Complex", _COMPLEX), _Kind("Bool", ("bool",))
Integer, Inexact, Real = _Kind("Integer", _INTS + _UINTS), _Kind("Inexact", _FLOATS + _COMPLEX), _Kind("Real", _FLOATS + _INTS + _UINTS)
Num, Shaped, Key = _Kind("Num", _FLOATS + _INTS + _UINTS + _COMPLEX), _Kind("Shaped", None), _Kind("Key", None)
for _name, _kind in {"Float16": "f16", "BFloat16": "bf16", "Float32": "f32", "Float64": "f64", "Int8": "i8", "Int16": "i16", "Int32": "i32", "Int64": "i64", "UInt8": "u8", "UInt16": "u16", "UInt32": "u32", "UInt64": "u64", "Complex64": "c64", "Complex128": "c128"}.items():
    _tensorvet.define(_name, _Kind(_name, (_kind,)))


class _Tree:
    def __getitem__(self, arguments):
        return object


PyTree = _Tree()
Array = ArrayLike = PyTreeDef = Scalar = ScalarLike = object


def jaxtyped(fn=None, *, typechecker=None):
    """A function whose arguments are compared with what it says of them, if there is something that compares."""
    if fn is None:
        return lambda function: jaxtyped(function, typechecker=typechecker)
    if isinstance(fn, type) or (typechecker is None and not getattr(fn, "_has_checked_types", False)):
        return fn
    return checked(fn)


def checked(fn):
    parts = _system.parameters(fn)
    if parts is None:
        return fn
    hints = {name: hint for name, hint in fn.__annotations__.items() if isinstance(hint, Described)}
    places = [name for name, kind, default in parts if kind < 2]

    def function(*arguments, **options):
        memo = {}
        for name, value in [*zip(places, arguments), *options.items()]:
            if name in hints:
                hints[name].meets("`" + name + "`", value, memo)
        result = fn(*arguments, **options)
        if "return" in hints:
            hints["return"].meets("the result", result, memo)
        return result

    if not hints:
        return fn
    function.__wrapped__ = fn
    return _tensorvet.named(fn.__name__, function)


class _Hook:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def uninstall(self):
        return None


def install_import_hook(modules, typechecker):
    return _Hook()


class TypeCheckError(TypeError):
    pass
