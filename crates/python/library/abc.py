"""Abstract classes: which names a class must still define is found when it is made."""

__complete__ = True


def abstractmethod(function):
    function.__isabstractmethod__ = True
    return function


abstractclassmethod = abstractstaticmethod = abstractproperty = abstractmethod


def _is_abstract(value):
    for inner in (value, getattr(value, "fget", None), getattr(value, "__func__", None)):
        if getattr(inner, "__isabstractmethod__", False) is True:
            return True
    return False


class ABCMeta(type):
    def __new__(mcs, name, bases, names, **options):
        made = super().__new__(mcs, name, bases, names)
        missing = [word for word, value in names.items() if _is_abstract(value)]
        for base in bases:
            for word in getattr(base, "__abstractmethods__", ()):
                if word not in missing and _is_abstract(getattr(made, word, None)):
                    missing.append(word)
        made.__abstractmethods__ = frozenset(sorted(missing))
        return made

    def register(cls, subclass):
        return subclass


class ABC(metaclass=ABCMeta):
    pass
