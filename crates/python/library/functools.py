"""Functions of functions."""

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")
WRAPPER_UPDATES = ("__dict__",)


class partial:
    def __init__(self, func, /, *args, **keywords):
        if isinstance(func, partial):
            func, args, keywords = func.func, func.args + args, {**func.keywords, **keywords}
        if not callable(func):
            raise TypeError("the first argument must be callable")
        self.func, self.args, self.keywords = func, args, keywords

    def __call__(self, /, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})


class partialmethod:
    def __init__(self, func, /, *args, **keywords):
        self.func, self.args, self.keywords = func, args, keywords

    def __get__(self, instance, owner=None):
        return partial(partial(self.func, instance), *self.args, **self.keywords)


def wraps(wrapped, assigned=(), updated=()):
    return partial(_wrapped, wrapped)


def _wrapped(wrapped, wrapper):
    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        value = getattr(wrapped, name, None)
        if value is not None and not isinstance(wrapper, type):
            setattr(wrapper, name, value)
    for name, value in getattr(wrapped, "__dict__", {}).items():
        if not name.startswith("<"):
            setattr(wrapper, name, value)
    wrapper.__wrapped__ = wrapped
    return wrapper


def update_wrapper(wrapper, wrapped, assigned=(), updated=()):
    return _wrapped(wrapped, wrapper)


def reduce(function, iterable, *initial):
    iterator = iter(iterable)
    if initial:
        total = initial[0]
    else:
        try:
            total = next(iterator)
        except StopIteration:
            raise TypeError("reduce() of empty iterable with no initial value") from None
    for value in iterator:
        total = function(total, value)
    return total


class _Cached:
    """What a function gave is kept by its arguments."""

    def __init__(self, function):
        self.__wrapped__ = function
        self.__name__ = getattr(function, "__name__", "?")
        self.__doc__ = getattr(function, "__doc__", None)
        self.held = {}
        self.hits = self.misses = 0

    def __call__(self, *arguments, **options):
        key = (arguments, tuple(sorted(options.items())))
        if key in self.held:
            self.hits += 1
            return self.held[key]
        self.misses += 1
        value = self.__wrapped__(*arguments, **options)
        self.held[key] = value
        return value

    def __get__(self, instance, owner=None):
        return self if instance is None else partial(self, instance)

    def cache_clear(self):
        self.held = {}

    def cache_info(self):
        return (self.hits, self.misses, None, len(self.held))


def lru_cache(maxsize=128, typed=False):
    return _Cached(maxsize) if callable(maxsize) else _Cached


def cache(function):
    return _Cached(function)


class cached_property:
    def __init__(self, func):
        self.func = func
        self.name = func.__name__

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        value = self.func(instance)
        instance.__dict__[self.name] = value
        return value


def total_ordering(cls):
    defined = [name for name in ("__lt__", "__le__", "__gt__", "__ge__") if name in cls.__dict__]
    if not defined:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    base = defined[0]
    if base in ("__lt__", "__ge__"):
        less = cls.__lt__ if base == "__lt__" else lambda self, other: not self >= other
    else:
        less = (lambda self, other: not (self > other or self == other)) if base == "__gt__" else (
            lambda self, other: self <= other and not self == other
        )
    made = {
        "__lt__": less,
        "__le__": lambda self, other: less(self, other) or self == other,
        "__gt__": lambda self, other: not (less(self, other) or self == other),
        "__ge__": lambda self, other: not less(self, other),
    }
    for name, method in made.items():
        if name not in defined:
            setattr(cls, name, method)
    return cls


def cmp_to_key(compare):
    class Key:
        def __init__(self, value):
            self.value = value

        def __lt__(self, other):
            return compare(self.value, other.value) < 0

    return Key


def singledispatch(function):
    kinds = {}

    def chosen(kind):
        for base in kind.__mro__:
            if base in kinds:
                return kinds[base]
        return function

    def called(*arguments, **options):
        return chosen(type(arguments[0]))(*arguments, **options)

    def register(kind, implementation=None):
        if implementation is None and not isinstance(kind, type):
            implementation = kind
            kind = next(iter(kind.__annotations__.values()))
        if implementation is None:
            return lambda implementation: register(kind, implementation)
        kinds[kind] = implementation
        return implementation

    called.register, called.dispatch = register, chosen
    return called


class singledispatchmethod:
    def __init__(self, function):
        self.dispatcher = singledispatch(lambda first, *rest, **options: function(*rest, **options))
        self.function, self.kinds = function, []

    def register(self, kind, method=None):
        if method is None and not isinstance(kind, type):
            method = kind
            kind = list(method.__annotations__.values())[0]
        if method is None:
            return lambda method: self.register(kind, method)
        self.kinds.append((kind, method))
        return method

    def __get__(self, instance, owner=None):
        def called(*arguments, **options):
            for kind, method in reversed(self.kinds):
                if isinstance(arguments[0], kind):
                    return method(instance, *arguments, **options)
            return self.function(instance, *arguments, **options)

        return called
