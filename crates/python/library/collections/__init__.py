"""Containers beside the built-in ones."""

__complete__ = True


class OrderedDict(dict):
    def popitem(self, last=True):
        if last:
            return dict.popitem(self)
        key = next(iter(self))
        return key, self.pop(key)

    def __repr__(self):
        return f"{type(self).__name__}({list(self.items())})" if self else f"{type(self).__name__}()"

    def __reversed__(self):
        return iter(list(self.keys())[::-1])


class defaultdict(dict):
    def __init__(self, default_factory=None, *arguments, **more):
        self.default_factory = default_factory
        dict.update(self, *arguments, **more)

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        value = self.default_factory()
        self[key] = value
        return value

    def copy(self):
        return defaultdict(self.default_factory, self)

    def __repr__(self):
        return f"defaultdict({self.default_factory!r}, {dict(self)!r})"


class Counter(dict):
    def __init__(self, counted=(), **more):
        self.update(counted, **more)

    def __missing__(self, key):
        return 0

    def update(self, counted=(), **more):
        self._add(counted, 1)
        self._add(more, 1)

    def subtract(self, counted=(), **more):
        self._add(counted, -1)
        self._add(more, -1)

    def _add(self, counted, sign):
        if isinstance(counted, dict):
            for key, count in counted.items():
                self[key] = self[key] + sign * count
        elif counted is not None:
            for key in counted:
                self[key] = self[key] + sign

    def most_common(self, n=None):
        ranked = sorted(self.items(), key=lambda pair: pair[1], reverse=True)
        return ranked if n is None else ranked[:n]

    def elements(self):
        for key, count in self.items():
            for _ in range(count):
                yield key

    def total(self):
        return sum(self.values())

    def copy(self):
        return Counter(self)

    def _joined(self, other, choose):
        result = Counter()
        for key in list(self) + [key for key in other if key not in self]:
            count = choose(self[key], other[key])
            if count > 0:
                result[key] = count
        return result

    def __add__(self, other):
        return self._joined(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._joined(other, lambda a, b: a - b)

    def __or__(self, other):
        return self._joined(other, max)

    def __and__(self, other):
        return self._joined(other, min)

    def __repr__(self):
        if not self:
            return "Counter()"
        inside = ", ".join(f"{key!r}: {count!r}" for key, count in self.most_common())
        return "Counter({" + inside + "})"


class deque(list):
    def __init__(self, items=(), maxlen=None):
        self.maxlen = maxlen
        self.extend(items)

    def _fit(self, left):
        while self.maxlen is not None and len(self) > self.maxlen:
            list.pop(self, 0 if left else -1)

    def append(self, value):
        list.append(self, value)
        self._fit(True)

    def appendleft(self, value):
        list.insert(self, 0, value)
        self._fit(False)

    def extend(self, values):
        for value in values:
            self.append(value)

    def extendleft(self, values):
        for value in values:
            self.appendleft(value)

    def pop(self):
        if not self:
            raise IndexError("pop from an empty deque")
        return list.pop(self)

    def popleft(self):
        if not self:
            raise IndexError("pop from an empty deque")
        return list.pop(self, 0)

    def rotate(self, n=1):
        if self:
            n = n % len(self)
            items = list(self)
            self.clear()
            self.extend(items[-n:] + items[:-n] if n else items)

    def copy(self):
        return deque(self, self.maxlen)

    def __repr__(self):
        inside = repr(list(self))
        return f"deque({inside})" if self.maxlen is None else f"deque({inside}, maxlen={self.maxlen})"


class ChainMap(dict):
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]
        for inner in reversed(self.maps):
            dict.update(self, inner)

    def __setitem__(self, key, value):
        self.maps[0][key] = value
        dict.__setitem__(self, key, value)

    def new_child(self, first=None):
        return ChainMap({} if first is None else first, *self.maps)


class UserDict(dict):
    @property
    def data(self):
        return self


class UserList(list):
    @property
    def data(self):
        return self


class UserString(str):
    pass


class _Field:
    """One place of a named tuple."""

    def __init__(self, place):
        self.place = place

    def __get__(self, instance, owner=None):
        return self if instance is None else tuple.__getitem__(instance, self.place)

    def __set__(self, instance, value):
        raise AttributeError("can't set attribute")


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    names = tuple(str(name) for name in field_names)
    given = tuple(defaults) if defaults is not None else ()
    known = dict(zip(names[len(names) - len(given):], given))

    def __new__(cls, *values, **options):
        if len(values) > len(names):
            raise TypeError(
                f"{typename}.__new__() takes {len(names) + 1} positional arguments but {len(values) + 1} were given"
            )
        values = list(values)
        missing = []
        for name in names[len(values):]:
            if name in options:
                values.append(options.pop(name))
            elif name in known:
                values.append(known[name])
            else:
                missing.append(name)
        if missing:
            listed = " and ".join(repr(name) for name in missing)
            plural = "argument" if len(missing) == 1 else "arguments"
            raise TypeError(f"{typename}.__new__() missing {len(missing)} required positional {plural}: {listed}")
        if options:
            name = next(iter(options))
            raise TypeError(f"{typename}.__new__() got an unexpected keyword argument '{name}'")
        return tuple.__new__(cls, values)

    def __repr__(self):
        inside = ", ".join(f"{name}={value!r}" for name, value in zip(names, self))
        return f"{type(self).__name__}({inside})"

    def _replace(self, **changes):
        return type(self)(**{**self._asdict(), **changes})

    space = {
        "__new__": __new__,
        "__repr__": __repr__,
        "__match_args__": names,
        "_fields": names,
        "_field_defaults": known,
        "_asdict": lambda self: dict(zip(names, self)),
        "_replace": _replace,
        "_make": classmethod(lambda cls, values: cls(*values)),
        "__slots__": (),
        "__getnewargs__": lambda self: tuple(self),
    }
    for place, name in enumerate(names):
        space[name] = _Field(place)
    return type(typename, (tuple,), space)
