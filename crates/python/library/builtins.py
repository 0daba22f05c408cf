"""What of Python's built-in names is easier said in Python."""

import _system
import _tensorvet

# The classes here have every attribute that Python's have.
__complete__ = True


class BaseException:
    __cause__ = None
    __context__ = None
    __traceback__ = _system.harmless("a trace")
    __suppress_context__ = False

    def __new__(cls, *args, **options):
        self = object.__new__(cls)
        self.args = args
        return self

    def __init__(self, *args):
        self.args = args

    def with_traceback(self, traceback):
        return self

    def add_note(self, note):
        return None


class Exception(BaseException):
    pass


class SystemExit(BaseException):
    def __init__(self, code=None):
        self.args = (code,)
        self.code = code


class KeyboardInterrupt(BaseException):
    pass


class GeneratorExit(BaseException):
    pass


class StopIteration(Exception):
    def __init__(self, *args):
        self.args = args
        self.value = args[0] if args else None


class StopAsyncIteration(Exception):
    pass


class ArithmeticError(Exception):
    pass


class ZeroDivisionError(ArithmeticError):
    pass


class OverflowError(ArithmeticError):
    pass


class FloatingPointError(ArithmeticError):
    pass


class AssertionError(Exception):
    pass


class AttributeError(Exception):
    pass


class BufferError(Exception):
    pass


class EOFError(Exception):
    pass


class ImportError(Exception):
    def __init__(self, *args, name=None, path=None):
        self.args = args
        self.msg = args[0] if args else None
        self.name, self.path = name, path


class ModuleNotFoundError(ImportError):
    pass


class LookupError(Exception):
    pass


class IndexError(LookupError):
    pass


class KeyError(LookupError):
    pass


class MemoryError(Exception):
    pass


class NameError(Exception):
    pass


class UnboundLocalError(NameError):
    pass


class OSError(Exception):
    errno = None
    strerror = None
    filename = None

    def __init__(self, *args):
        self.args = args
        if len(args) > 1:
            self.errno, self.strerror = args[0], args[1]
        if len(args) > 2:
            self.filename = args[2]

    def __str__(self):
        if len(self.args) > 1:
            return f"[Errno {self.errno}] {self.strerror}"
        return str(self.args[0]) if self.args else ""


IOError = EnvironmentError = OSError


class FileNotFoundError(OSError):
    pass


class FileExistsError(OSError):
    pass


class PermissionError(OSError):
    pass


class IsADirectoryError(OSError):
    pass


class NotADirectoryError(OSError):
    pass


class ConnectionError(OSError):
    pass


class TimeoutError(OSError):
    pass


class ReferenceError(Exception):
    pass


class RuntimeError(Exception):
    pass


class NotImplementedError(RuntimeError):
    pass


class RecursionError(RuntimeError):
    pass


class SyntaxError(Exception):
    pass


class SystemError(Exception):
    pass


class TypeError(Exception):
    pass


class ValueError(Exception):
    pass


class UnicodeError(ValueError):
    pass


class UnicodeDecodeError(UnicodeError):
    pass


class UnicodeEncodeError(UnicodeError):
    pass


class Warning(Exception):
    pass


class UserWarning(Warning):
    pass


class DeprecationWarning(Warning):
    pass


class PendingDeprecationWarning(Warning):
    pass


class FutureWarning(Warning):
    pass


class RuntimeWarning(Warning):
    pass


class ImportWarning(Warning):
    pass


class ResourceWarning(Warning):
    pass


class range:
    def __init__(self, start, stop=None, step=1):
        if stop is None:
            start, stop = 0, start
        start, stop, step = _whole(start), _whole(stop), _whole(step)
        if step == 0:
            raise ValueError("range() arg 3 must not be zero")
        self.start, self.stop, self.step = start, stop, step

    def __iter__(self):
        return _range_iterator(self.start, self.stop, self.step)

    def __len__(self):
        if self.step > 0:
            return max(0, (self.stop - self.start + self.step - 1) // self.step)
        return max(0, (self.start - self.stop - self.step - 1) // -self.step)

    def __bool__(self):
        return len(self) > 0

    def __getitem__(self, index):
        length = len(self)
        if isinstance(index, slice):
            start, stop, step = index.indices(length)
            return range(self.start + start * self.step, self.start + stop * self.step, self.step * step)
        index = _whole(index)
        if index < 0:
            index = index + length
        if index < 0 or index >= length:
            raise IndexError("range object index out of range")
        return self.start + index * self.step

    def __contains__(self, value):
        if not isinstance(value, (int, float)):
            return False
        if self.step > 0:
            inside = self.start <= value and value < self.stop
        else:
            inside = self.stop < value and value <= self.start
        return inside and (value - self.start) % self.step == 0

    def __reversed__(self):
        last = self.start + (len(self) - 1) * self.step
        return iter(range(last, self.start - self.step, -self.step))

    def __eq__(self, other):
        return isinstance(other, range) and list(self) == list(other)

    def __hash__(self):
        return hash((self.start, self.stop, self.step))

    def index(self, value):
        if value not in self:
            raise ValueError(f"{value} is not in range")
        return (value - self.start) // self.step

    def count(self, value):
        return 1 if value in self else 0

    def __repr__(self):
        if self.step == 1:
            return f"range({self.start}, {self.stop})"
        return f"range({self.start}, {self.stop}, {self.step})"


def _whole(value):
    """The number that a range or an index is given."""
    if isinstance(value, int):
        return value
    if hasattr(value, "__index__"):
        return value.__index__()
    raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")


class enumerate:
    def __init__(self, iterable, start=0):
        self.iterator = iter(iterable)
        self.count = start

    def __iter__(self):
        return self

    def __next__(self):
        value = next(self.iterator)
        self.count += 1
        return self.count - 1, value


class zip:
    def __init__(self, *iterables, strict=False):
        self.iterators = [iter(iterable) for iterable in iterables]
        self.strict = strict

    def __iter__(self):
        return self

    def __next__(self):
        if not self.iterators:
            raise StopIteration()
        values = []
        for iterator in self.iterators:
            try:
                values.append(next(iterator))
            except StopIteration:
                if self.strict:
                    self.compare(len(values))
                raise
        return tuple(values)

    def compare(self, ended):
        """Raises unless all end together; the one at place `ended` has."""
        if ended > 0:
            raise ValueError(f"zip() argument {ended + 1} is shorter than argument 1")
        for place, iterator in enumerate(self.iterators[1:]):
            for value in iterator:
                raise ValueError(f"zip() argument {place + 2} is longer than argument 1")


class map:
    def __init__(self, function, *iterables):
        self.function = function
        self.iterators = [iter(iterable) for iterable in iterables]

    def __iter__(self):
        return self

    def __next__(self):
        return self.function(*[next(iterator) for iterator in self.iterators])


class filter:
    def __init__(self, function, iterable):
        self.function = function
        self.iterator = iter(iterable)

    def __iter__(self):
        return self

    def __next__(self):
        while True:
            value = next(self.iterator)
            if self.function(value) if self.function is not None else value:
                return value


def any(iterable):
    found = False
    for value in iterable:
        holds = _tensorvet.decided(value)
        if holds:
            return True
        if holds is None:
            found = found | bool(value)
    return found


def all(iterable):
    found = True
    for value in iterable:
        holds = _tensorvet.decided(value)
        if holds is False:
            return False
        if holds is None:
            found = found & bool(value)
    return found


def open(file, mode="r", *arguments, **options):
    from _files import File

    return File(file, mode)


def exit(code=None):
    raise SystemExit(code)


quit = exit


class BlockingIOError(OSError):
    pass


class BrokenPipeError(ConnectionError):
    pass


class ChildProcessError(OSError):
    pass


class ConnectionAbortedError(ConnectionError):
    pass


class ConnectionRefusedError(ConnectionError):
    pass


class ConnectionResetError(ConnectionError):
    pass


class InterruptedError(OSError):
    pass


class ProcessLookupError(OSError):
    pass


class IndentationError(SyntaxError):
    pass


class TabError(IndentationError):
    pass


class SyntaxWarning(Warning):
    pass


class BytesWarning(Warning):
    pass


class UnicodeWarning(Warning):
    pass


class EncodingWarning(Warning):
    pass


class UnicodeTranslateError(UnicodeError):
    pass


class BaseExceptionGroup(BaseException):
    def __init__(self, message, exceptions):
        self.args = (message, exceptions)
        self.message, self.exceptions = message, tuple(exceptions)


class ExceptionGroup(BaseExceptionGroup, Exception):
    pass


__debug__ = True
