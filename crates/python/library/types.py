"""Names of types, and plain objects."""


class SimpleNamespace:
    __complete__ = True

    def __init__(self, /, *mapping, **values):
        for given in mapping:
            values = {**dict(given), **values}
        for name, value in values.items():
            setattr(self, name, value)

    def __repr__(self):
        return "namespace(" + ", ".join(f"{name}={value!r}" for name, value in vars(self).items()) + ")"

    def __eq__(self, other):
        return isinstance(other, SimpleNamespace) and vars(self) == vars(other)

    __hash__ = None


def _sample(): yield


FunctionType = LambdaType = type(_sample)
GeneratorType = type(_sample())
MethodType = type([].append)
BuiltinFunctionType = BuiltinMethodType = type(len)
NoneType, EllipsisType, NotImplementedType = type(None), type(...), type(NotImplemented)
ModuleType = type(__import__("builtins"))


class MappingProxyType(dict):
    def __setitem__(self, key, value):
        raise TypeError("'mappingproxy' object does not support item assignment")


class CodeType:
    pass


class FrameType:
    pass


class TracebackType:
    pass


class CoroutineType:
    pass


class AsyncGeneratorType:
    pass


class UnionType:
    pass


class GenericAlias:
    pass


class DynamicClassAttribute(property):
    pass


def new_class(name, bases=(), kwds=None, exec_body=None):
    names = {}
    if exec_body is not None:
        exec_body(names)
    return type(name, bases, names)


def coroutine(function):
    return function
