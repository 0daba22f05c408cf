"""Looking at functions and classes."""

import _tensorvet
import types


class _Empty:
    pass


class Parameter:
    empty = _Empty
    POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY, VAR_KEYWORD = range(5)

    def __init__(self, name, kind, *, default=_Empty, annotation=_Empty):
        self.name, self.kind, self.default, self.annotation = name, kind, default, annotation


class Signature:
    empty = _Empty

    def __init__(self, parameters=(), *, return_annotation=_Empty):
        self.parameters = {parameter.name: parameter for parameter in parameters}
        self.return_annotation = return_annotation

    def bind(self, *arguments, **options):
        return _tensorvet.unknown("arguments bound to a signature")

    bind_partial = bind


def signature(function, **options):
    import _system

    owner = function
    if isclass(function):
        function = function.__init__
    elif not isfunction(function) and not ismethod(function) and hasattr(type(function), "__call__"):
        function = getattr(function, "func", None) or function.__call__
    parts = _system.parameters(function)
    if parts is None:
        return _tensorvet.unknown("a signature")
    made = [Parameter(name, kind, default=default[0] if default else _Empty) for name, kind, default in parts]
    if isclass(owner) or ismethod(function):
        made = made[1:]
    return Signature(made)


def getfullargspec(function):
    import _system

    parts = _system.parameters(function)
    if parts is None:
        return _tensorvet.unknown("a signature")
    spec = types.SimpleNamespace()
    spec.args = [name for name, kind, default in parts if kind < 2]
    spec.varargs = next((name for name, kind, default in parts if kind == 2), None)
    spec.varkw = next((name for name, kind, default in parts if kind == 4), None)
    spec.defaults = tuple(default[0] for name, kind, default in parts if kind < 2 and default) or None
    spec.kwonlyargs = [name for name, kind, default in parts if kind == 3]
    spec.kwonlydefaults = {name: default[0] for name, kind, default in parts if kind == 3 and default} or None
    spec.annotations = getattr(function, "__annotations__", {})
    return spec


getargspec = getfullargspec


def isclass(thing):
    return isinstance(thing, type)


def isfunction(thing):
    return isinstance(thing, types.FunctionType)


def ismethod(thing):
    return isinstance(thing, types.MethodType)


def isroutine(thing):
    return isfunction(thing) or ismethod(thing) or isbuiltin(thing)


def isbuiltin(thing):
    return isinstance(thing, types.BuiltinFunctionType)


def ismodule(thing):
    return isinstance(thing, types.ModuleType)


def isgenerator(thing):
    return isinstance(thing, types.GeneratorType)


def isgeneratorfunction(thing):
    return _tensorvet.unknown("whether a function yields", "bool")


def isabstract(thing):
    return len(getattr(thing, "__abstractmethods__", ())) > 0


def iscoroutinefunction(thing):
    return _tensorvet.unknown("whether a function is asynchronous", "bool")


isawaitable = iscoroutine = isasyncgenfunction = iscoroutinefunction


def getmembers(thing, predicate=None):
    found = []
    for name in dir(thing):
        value = getattr(thing, name)
        if predicate is None or predicate(value):
            found.append((name, value))
    return found


def getmro(cls):
    return cls.__mro__


def getdoc(thing):
    return getattr(thing, "__doc__", None)


def cleandoc(text):
    return text


def unwrap(function, **options):
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function


def _text(*arguments, **options):
    return _tensorvet.unknown("the source of the program", "str")


getsource = getfile = getsourcefile = getmodulename = getcomments = _text


def getmodule(thing):
    return _tensorvet.unknown("the module of something")


def currentframe():
    return _tensorvet.unknown("a frame of the interpreter")


def stack(*arguments):
    return _tensorvet.unknown("frames of the interpreter", "list")
