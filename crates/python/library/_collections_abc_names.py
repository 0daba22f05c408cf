"""The abstract classes of containers: being one of them is a matter of having the methods."""


class _ByMethods(type):
    """A class whose instances are all that have its methods."""

    def __instancecheck__(cls, value):
        if cls.__name__ in ("Sequence", "MutableSequence"):
            if isinstance(value, (list, range) if cls.__name__ == "MutableSequence" else (list, tuple, str, bytes, range)):
                return True
            return cls in type(value).__mro__
        if cls.__name__ in ("Mapping", "MutableMapping"):
            return isinstance(value, dict) or cls in type(value).__mro__
        if cls.__name__ in ("Set", "MutableSet"):
            return isinstance(value, (set, frozenset)) or cls in type(value).__mro__
        if cls in type(value).__mro__:
            return True
        if not cls._methods:
            return False
        for method in cls._methods:
            if not hasattr(type(value), method):
                return False
        return True

    def __subclasscheck__(cls, other):
        return cls in other.__mro__

    def __getitem__(cls, arguments):
        return cls

    def register(cls, other):
        return other


class Container(metaclass=_ByMethods):
    _methods = ("__contains__",)


class Hashable(metaclass=_ByMethods):
    _methods = ("__hash__",)


class Iterable(metaclass=_ByMethods):
    _methods = ("__iter__",)


class Iterator(Iterable):
    _methods = ("__iter__", "__next__")

    def __iter__(self):
        return self


class Generator(Iterator):
    _methods = ("__iter__", "__next__", "send", "throw", "close")


class Reversible(Iterable):
    _methods = ("__iter__", "__reversed__")


class Sized(metaclass=_ByMethods):
    _methods = ("__len__",)


class Callable(metaclass=_ByMethods):
    _methods = ()

    def __instancecheck__(value):
        return callable(value)


class Collection(Sized, Iterable, Container):
    _methods = ("__len__", "__iter__", "__contains__")


class Sequence(Collection):
    _methods = ()

    def __iter__(self):
        for place in range(len(self)):
            yield self[place]

    def __contains__(self, wanted):
        for value in self:
            if value == wanted:
                return True
        return False

    def __reversed__(self):
        for place in range(len(self) - 1, -1, -1):
            yield self[place]

    def index(self, wanted):
        for place, value in enumerate(self):
            if value == wanted:
                return place
        raise ValueError

    def count(self, wanted):
        return sum(1 for value in self if value == wanted)


class MutableSequence(Sequence):
    def append(self, value):
        self.insert(len(self), value)

    def extend(self, values):
        for value in values:
            self.append(value)

    def pop(self, place=-1):
        value = self[place]
        del self[place]
        return value

    def remove(self, value):
        del self[self.index(value)]

    def __iadd__(self, values):
        self.extend(values)
        return self


class Set(Collection):
    _methods = ()


class MutableSet(Set):
    pass


class Mapping(Collection):
    _methods = ()

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return list(self)

    def values(self):
        return [self[key] for key in self]

    def items(self):
        return [(key, self[key]) for key in self]

    def __eq__(self, other):
        return dict(self.items()) == dict(other.items())

    __hash__ = None


class MutableMapping(Mapping):
    def pop(self, key, *default):
        try:
            value = self[key]
        except KeyError:
            if default:
                return default[0]
            raise
        del self[key]
        return value

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, other=(), **more):
        if hasattr(other, "keys"):
            for key in other.keys():
                self[key] = other[key]
        else:
            for key, value in other:
                self[key] = value
        for key, value in more.items():
            self[key] = value

    def clear(self):
        for key in list(self):
            del self[key]


class Awaitable(metaclass=_ByMethods):
    _methods = ("__await__",)


class Coroutine(Awaitable):
    pass


class AsyncIterable(metaclass=_ByMethods):
    _methods = ("__aiter__",)


class AsyncIterator(AsyncIterable):
    pass


class AsyncGenerator(AsyncIterator):
    pass


class KeysView(Collection):
    _methods = ()


class ValuesView(Collection):
    _methods = ()


class ItemsView(Collection):
    _methods = ()


class Buffer(metaclass=_ByMethods):
    _methods = ("__buffer__",)


ByteString = bytes
