"""Enumerations."""

__complete__ = True


class auto:
    def __init__(self):
        self.value = None


class member:
    def __init__(self, value):
        self.value = value


class nonmember(member):
    pass


def unique(cls):
    return cls


def verify(*rules):
    return unique


def _is_member(name, value):
    if name.startswith("_") or hasattr(value, "__get__") or isinstance(value, nonmember):
        return False
    return not isinstance(value, (property, staticmethod, classmethod, type)) and not callable(value)


class EnumMeta(type):
    def __new__(mcs, name, bases, names, **options):
        values = [(word, value) for word, value in names.items() if _is_member(word, value)]
        for word, value in values:
            del names[word]
        cls = super().__new__(mcs, name, bases, names)
        cls._member_map_ = {}
        cls._member_names_ = []
        cls._value2member_map_ = {}
        last = None
        for word, value in values:
            if isinstance(value, auto):
                value = cls._generate_next_value_(word, 1, len(cls._member_names_), [m._value_ for m in cls])
            last = value
            cls._add(word, value)
        return cls

    def _add(cls, word, value):
        for held in cls._member_map_.values():
            if type(held._value_) == type(value) and held._value_ == value:
                cls._member_map_[word] = held
                setattr(cls, word, held)
                return
        arguments = value if isinstance(value, tuple) else (value,)
        made = cls._plain_new(value, arguments)
        if not hasattr(made, "_value_"):
            made._value_ = value
        made._name_ = word
        if cls.__init__ is not object.__init__ and "__init__" in _defined(cls):
            made.__init__(*arguments)
        cls._member_map_[word] = made
        cls._member_names_.append(word)
        try:
            cls._value2member_map_[made._value_] = made
        except TypeError:
            pass
        setattr(cls, word, made)

    def _plain_new(cls, value, arguments):
        own = _defined(cls).get("__new__")
        if own is not None:
            return own(cls, *arguments)
        for kind in (int, str, float, bytes, tuple):
            if kind in cls.__mro__:
                return kind.__new__(cls, *arguments) if kind is not tuple else tuple.__new__(cls, value)
        return object.__new__(cls)

    def __call__(cls, value, names=None, **options):
        if names is not None:
            return _functional(cls, value, names)
        if isinstance(value, cls):
            return value
        for held in cls._member_map_.values():
            if held._value_ == value:
                return held
        found = cls._missing_(value)
        if found is None:
            raise ValueError(f"{value!r} is not a valid {cls.__name__}")
        return found

    def __getitem__(cls, name):
        return cls._member_map_[name]

    def __iter__(cls):
        return iter([cls._member_map_[name] for name in cls._member_names_])

    def __reversed__(cls):
        return reversed([cls._member_map_[name] for name in cls._member_names_])

    def __len__(cls):
        return len(cls._member_names_)

    def __bool__(cls):
        return True

    def __contains__(cls, value):
        if isinstance(value, cls):
            return True
        return any(held._value_ == value for held in cls._member_map_.values())

    @property
    def __members__(cls):
        return dict(cls._member_map_)

    def __repr__(cls):
        return f"<enum '{cls.__name__}'>"


EnumType = EnumMeta


def _functional(base, name, names):
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    pairs = dict(names) if isinstance(names, dict) else {word: place + 1 for place, word in enumerate(names)}
    return EnumMeta(name, (base,), pairs)


def _defined(cls):
    """What the classes of an enumeration define, below those of this module."""
    found = {}
    for base in reversed(cls.__mro__):
        if isinstance(base, EnumMeta) and base.__name__ not in _OURS:
            found.update(base.__dict__)
    return found


_OURS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum")


class Enum(metaclass=EnumMeta):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return last_values[-1] + 1 if last_values else start

    @classmethod
    def _missing_(cls, value):
        return None

    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_

    def __repr__(self):
        return f"<{type(self).__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        return f"{type(self).__name__}.{self._name_}"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __format__(self, specification):
        return format(str(self), specification)


ReprEnum = Enum


class IntEnum(int, Enum):
    def __str__(self):
        return str(self._value_)

    def __format__(self, specification):
        return format(self._value_, specification)


class StrEnum(str, Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()

    def __str__(self):
        return self._value_

class Flag(Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return 1 << count

    @classmethod
    def _missing_(cls, value):
        made = cls._plain_new(value, (value,))
        made._value_ = value
        made._name_ = "|".join(m._name_ for m in cls if m._value_ & value)
        return made

    def _with(self, value):
        return type(self)(value)

    def __or__(self, other):
        return self._with(self._value_ | _bits(other))

    def __and__(self, other):
        return self._with(self._value_ & _bits(other))

    def __xor__(self, other):
        return self._with(self._value_ ^ _bits(other))

    def __invert__(self):
        return self._with(sum(m._value_ for m in type(self)) & ~self._value_)

    def __contains__(self, other):
        return self._value_ & other._value_ == other._value_

    def __bool__(self):
        return self._value_ != 0

    def __eq__(self, other):
        return self._value_ == _bits(other)

    def __hash__(self):
        return hash(self._value_)


def _bits(value):
    return value._value_ if isinstance(value, Flag) else value


class IntFlag(int, Flag):
    __ror__ = Flag.__or__
    __rand__ = Flag.__and__
