"""Classes made of their annotations."""

import copy


class _Missing:
    def __repr__(self):
        return "<MISSING>"


MISSING = _Missing()


class KW_ONLY:
    pass


class FrozenInstanceError(AttributeError):
    pass


class InitVar:
    def __init__(self, type=None):
        self.type = type

    @classmethod
    def __class_getitem__(cls, type):
        return InitVar(type)


class Field:
    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = None
        self.type = None
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.hash, self.compare = init, repr, hash, compare
        self.metadata = metadata if metadata is not None else {}
        self.kw_only = kw_only
        self.only_init = False


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True, metadata=None, kw_only=MISSING):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


def _is_class_variable(kind):
    if isinstance(kind, str):
        return kind.startswith("ClassVar") or kind.startswith("typing.ClassVar")
    return getattr(kind, "name", None) == "ClassVar"


def _is_init_only(kind):
    if isinstance(kind, str):
        return kind.startswith("InitVar") or kind.startswith("dataclasses.InitVar")
    return kind is InitVar or isinstance(kind, InitVar)


def _own_fields(cls, kw_only):
    found = []
    for name, kind in cls.__dict__.get("__annotations__", {}).items():
        if kind is KW_ONLY or (isinstance(kind, str) and kind.endswith("KW_ONLY")):
            kw_only = True
            continue
        if _is_class_variable(kind):
            continue
        given = cls.__dict__.get(name, MISSING)
        made = given if isinstance(given, Field) else field(default=given)
        if isinstance(made.default, (list, dict, set)):
            raise ValueError(
                f"mutable default {type(made.default)} for field {name} is not allowed: use default_factory"
            )
        made.name, made.type = name, kind
        made.only_init = _is_init_only(kind)
        if made.kw_only is MISSING:
            made.kw_only = kw_only
        if made.default is not MISSING:
            setattr(cls, name, made.default)
        elif isinstance(given, Field):
            delattr(cls, name)
        found.append(made)
    return found


def dataclass(cls=None, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False, match_args=True, kw_only=False, slots=False, weakref_slot=False):
    def made(cls):
        return _process(cls, init, repr, eq, order, unsafe_hash, frozen, kw_only)

    return made if cls is None else made(cls)


def _process(cls, init, repr, eq, order, unsafe_hash, frozen, kw_only):
    by_name = {}
    for base in cls.__mro__[-1:0:-1]:
        for inherited in getattr(base, "__dataclass_fields__", {}).values():
            by_name[inherited.name] = inherited
    for own in _own_fields(cls, kw_only):
        by_name[own.name] = own
    cls.__dataclass_fields__ = by_name
    cls.__dataclass_params__ = None
    every = list(by_name.values())
    stored = [each for each in every if not each.only_init]
    cls.__match_args__ = tuple(each.name for each in every if each.init and not each.kw_only)
    own_names = cls.__dict__
    if init:
        _check_order(every)
        cls.__init__ = _init_of(cls, every)
    if repr and "__repr__" not in own_names:
        cls.__repr__ = _repr_of(stored)
    if eq and "__eq__" not in own_names:
        cls.__eq__ = _eq_of(stored)
        if frozen or unsafe_hash:
            cls.__hash__ = _hash_of(stored)
        elif "__hash__" not in own_names:
            cls.__hash__ = None
    if order:
        _add_order(cls, stored)
    if frozen:
        _freeze(cls)
    return cls


def _check_order(every):
    with_default = None
    for each in every:
        if not each.init or each.kw_only:
            continue
        if each.default is not MISSING or each.default_factory is not MISSING:
            with_default = each.name
        elif with_default is not None:
            raise TypeError(f"non-default argument '{each.name}' follows default argument")


def _init_of(cls, every):
    positional = [each for each in every if each.init and not each.kw_only]
    named = [each for each in every if each.init and each.kw_only]

    def __init__(self, *values, **options):
        label = f"{cls.__name__}.__init__()"
        if len(values) > len(positional):
            raise TypeError(
                f"{label} takes {len(positional) + 1} positional arguments but {len(values) + 1} were given"
            )
        given = {}
        for each, value in zip(positional, values):
            given[each.name] = value
        for name, value in options.items():
            if name in given:
                raise TypeError(f"{label} got multiple values for argument '{name}'")
            if not any(each.name == name for each in positional + named):
                raise TypeError(f"{label} got an unexpected keyword argument '{name}'")
            given[name] = value
        missing = []
        extra = []
        for each in every:
            if each.name in given:
                value = given[each.name]
            elif each.default is not MISSING:
                value = each.default
            elif each.default_factory is not MISSING:
                value = each.default_factory()
            else:
                if each.init:
                    missing.append(each)
                continue
            if each.only_init:
                extra.append(value)
            else:
                object.__setattr__(self, each.name, value)
        if missing:
            _complain(label, missing)
        if hasattr(self, "__post_init__"):
            self.__post_init__(*extra)

    return __init__


def _complain(label, missing):
    names = [repr(each.name) for each in missing]
    listed = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
    kind = "keyword-only" if missing[0].kw_only else "positional"
    plural = "argument" if len(names) == 1 else "arguments"
    raise TypeError(f"{label} missing {len(names)} required {kind} {plural}: {listed}")


def _repr_of(stored):
    def __repr__(self):
        inside = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in stored if each.repr)
        return f"{type(self).__name__}({inside})"

    return __repr__


def _compared(instance, stored):
    return tuple(getattr(instance, each.name) for each in stored if each.compare)


def _eq_of(stored):
    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return _compared(self, stored) == _compared(other, stored)

    return __eq__


def _hash_of(stored):
    def __hash__(self):
        return hash(_compared(self, stored))

    return __hash__


def _add_order(cls, stored):
    cls.__lt__ = lambda self, other: _compared(self, stored) < _compared(other, stored)
    cls.__le__ = lambda self, other: _compared(self, stored) <= _compared(other, stored)
    cls.__gt__ = lambda self, other: _compared(self, stored) > _compared(other, stored)
    cls.__ge__ = lambda self, other: _compared(self, stored) >= _compared(other, stored)


def _freeze(cls):
    def __setattr__(self, name, value):
        raise FrozenInstanceError(f"cannot assign to field '{name}'")

    def __delattr__(self, name):
        raise FrozenInstanceError(f"cannot delete field '{name}'")

    cls.__setattr__, cls.__delattr__ = __setattr__, __delattr__


def fields(thing):
    if not hasattr(thing, "__dataclass_fields__"):
        raise TypeError("must be called with a dataclass type or instance")
    return tuple(each for each in thing.__dataclass_fields__.values() if not each.only_init)


def is_dataclass(thing):
    return hasattr(thing, "__dataclass_fields__")


def _converted(value, dict_factory, whole):
    if is_dataclass(value) and not isinstance(value, type):
        return whole(value)
    if isinstance(value, (list, tuple)):
        return type(value)([_converted(inner, dict_factory, whole) for inner in value])
    if isinstance(value, dict):
        return {key: _converted(inner, dict_factory, whole) for key, inner in value.items()}
    return copy.deepcopy(value)


def asdict(instance, *, dict_factory=dict):
    def whole(value):
        return asdict(value, dict_factory=dict_factory)

    pairs = [(each.name, _converted(getattr(instance, each.name), dict_factory, whole)) for each in fields(instance)]
    return dict_factory(pairs)


def astuple(instance, *, tuple_factory=tuple):
    return tuple_factory([_converted(getattr(instance, each.name), dict, astuple) for each in fields(instance)])


def replace(instance, **changes):
    for each in fields(instance):
        if each.init and each.name not in changes:
            changes[each.name] = getattr(instance, each.name)
    return type(instance)(**changes)


def make_dataclass(name, fields, *, bases=(), namespace=None, **options):
    space = dict(namespace or {})
    annotations = {}
    for each in fields:
        if isinstance(each, str):
            annotations[each] = object
            continue
        annotations[each[0]] = each[1]
        if len(each) > 2:
            space[each[0]] = each[2]
    space["__annotations__"] = annotations
    return dataclass(type(name, bases, space), **options)
