"""Types are not checked: what is written in brackets is taken for what stands before them."""

import _tensorvet

from _collections_abc_names import *

TYPE_CHECKING = False


class _Form:
    """`Optional`, `Union` and the like: anything may stand in their brackets."""

    def __init__(self, name, arguments=()):
        self.name = name
        self.__args__ = arguments

    def __getitem__(self, arguments):
        if not isinstance(arguments, tuple):
            arguments = (arguments,)
        if self.name == "Optional":
            return _Form("Union", arguments + (type(None),))
        return _Form(self.name, arguments)

    def __or__(self, other):
        return _Form("Union", (self, other))

    __ror__ = __or__

    def __call__(self, *arguments, **options):
        return arguments[-1] if arguments else None

    def __repr__(self):
        return "typing." + self.name

    def __eq__(self, other):
        return isinstance(other, _Form) and self.name == other.name and self.__args__ == other.__args__

    def __hash__(self):
        return hash(self.name)

    def __mro_entry__(self):
        return object


Any = _Form("Any")
Union = _Form("Union")
Optional = _Form("Optional")
Literal = _Form("Literal")
ClassVar = _Form("ClassVar")
Final = _Form("Final")
Annotated = _Form("Annotated")
Concatenate = _Form("Concatenate")
TypeGuard = _Form("TypeGuard")
TypeAlias = _Form("TypeAlias")
NoReturn = _Form("NoReturn")
Never = _Form("Never")
Self = _Form("Self")
LiteralString = _Form("LiteralString")
Required = _Form("Required")
NotRequired = _Form("NotRequired")
Unpack = _Form("Unpack")
IO, TextIO, BinaryIO, Pattern, Match, ForwardRef = map(_Form, ("IO", "TextIO", "BinaryIO", "Pattern", "Match", "ForwardRef"))
SupportsInt, SupportsFloat, SupportsIndex, SupportsAbs, SupportsRound, SupportsBytes = map(
    _Form, ("SupportsInt", "SupportsFloat", "SupportsIndex", "SupportsAbs", "SupportsRound", "SupportsBytes")
)
ContextManager, AsyncContextManager, AbstractSet, TypeIs, ReadOnly = map(
    _Form, ("ContextManager", "AsyncContextManager", "AbstractSet", "TypeIs", "ReadOnly")
)
Text, AnyStr = str, str
List, Dict, Set, FrozenSet, Tuple, Type = list, dict, set, frozenset, tuple, type


def _collections(name):
    import collections

    return getattr(collections, name)


def __getattr__(name):
    if name in ("OrderedDict", "DefaultDict", "Counter", "Deque", "ChainMap"):
        words = {"DefaultDict": "defaultdict", "Deque": "deque"}
        return _collections(words.get(name, name))
    return _tensorvet.unknown(f"`typing.{name}`")


class Generic:
    @classmethod
    def __class_getitem__(cls, arguments):
        return cls


class Protocol(Generic):
    pass


class TypeVar(_Form):
    def __init__(self, name, *constraints, **options):
        super().__init__(name)
        self.__name__ = name


ParamSpec = TypeVarTuple = TypeVar


def NewType(name, kind):
    return kind


def cast(kind, value):
    return value


def overload(function):
    return function


final = runtime_checkable = no_type_check = override = overload


def dataclass_transform(**options):
    return overload


def deprecated(message, /, **options):
    return overload


def runtime(cls):
    return cls


def get_type_hints(thing, *arguments, **options):
    return dict(getattr(thing, "__annotations__", {}))


def get_origin(kind):
    return getattr(kind, "__origin__", None)


def get_args(kind):
    return getattr(kind, "__args__", ())


def assert_never(value):
    raise AssertionError("Expected code to be unreachable")


class TypedDict(dict):
    def __new__(cls, *arguments, **options):
        if cls is TypedDict:
            return type(arguments[0], (dict,), {})
        return dict.__new__(cls)

    def __init_subclass__(cls, total=True, **options):
        return None


class _NamedTupleMeta(type):
    def __new__(mcs, name, bases, names):
        if not bases or bases == (object,):
            return super().__new__(mcs, name, bases, names)
        from collections import namedtuple

        fields = list(names.get("__annotations__", {}))
        defaults = [names[field] for field in fields if field in names]
        made = namedtuple(name, fields, defaults=defaults)
        made.__annotations__ = names.get("__annotations__", {})
        for word, value in names.items():
            if word not in fields:
                setattr(made, word, value)
        return made


class NamedTuple(metaclass=_NamedTupleMeta):
    def __new__(cls, name, fields=()):
        from collections import namedtuple

        return namedtuple(name, [field for field, kind in fields])
