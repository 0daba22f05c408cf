"""What `with` is given."""

from abc import ABC


class AbstractContextManager(ABC):
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


class ContextDecorator:
    def __call__(self, function):
        def inner(*arguments, **options):
            with self:
                return function(*arguments, **options)

        inner.__wrapped__ = function
        return inner


class _GeneratorManager(ContextDecorator):
    def __init__(self, function, arguments, options):
        self.function, self.arguments, self.options = function, arguments, options
        self.generator = None

    def __enter__(self):
        self.generator = self.function(*self.arguments, **self.options)
        try:
            return next(self.generator)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, kind, error, trace):
        if kind is None:
            try:
                next(self.generator)
            except StopIteration:
                return False
            raise RuntimeError("generator didn't stop")
        try:
            self.generator.throw(error)
        except StopIteration as stop:
            return stop is not error
        except BaseException as raised:
            if raised is error:
                return False
            raise
        raise RuntimeError("generator didn't stop after throw()")


def contextmanager(function):
    def helper(*arguments, **options):
        return _GeneratorManager(function, arguments, options)

    helper.__name__ = function.__name__
    helper.__wrapped__ = function
    return helper


asynccontextmanager = contextmanager


class suppress:
    def __init__(self, *exceptions):
        self.exceptions = exceptions

    def __enter__(self):
        return None

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, self.exceptions)


class nullcontext(AbstractContextManager):
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *error):
        return None


class closing(AbstractContextManager):
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *error):
        self.thing.close()


class redirect_stdout(nullcontext):
    pass


redirect_stderr = redirect_stdout


class ExitStack(AbstractContextManager):
    def __init__(self):
        self.callbacks = []

    def enter_context(self, manager):
        value = manager.__enter__()
        self.callbacks.append(manager.__exit__)
        return value

    def push(self, manager):
        self.callbacks.append(manager.__exit__ if hasattr(manager, "__exit__") else manager)
        return manager

    def callback(self, function, /, *arguments, **options):
        def called(kind, error, trace):
            function(*arguments, **options)

        self.callbacks.append(called)
        return function

    def pop_all(self):
        other = ExitStack()
        other.callbacks, self.callbacks = self.callbacks, []
        return other

    def close(self):
        self.__exit__(None, None, None)

    def __exit__(self, kind, error, trace):
        swallowed = False
        while self.callbacks:
            if self.callbacks.pop()(kind, error, trace):
                swallowed, kind, error, trace = True, None, None, None
        return swallowed


AsyncExitStack = ExitStack
