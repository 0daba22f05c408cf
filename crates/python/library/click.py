"""Commands of `click`: their options are read as those of `argparse` are, and are offered by the same names."""

import _system
import _tensorvet
import argparse
import sys


class ClickException(Exception):
    exit_code = 1


class UsageError(ClickException):
    exit_code = 2


class BadParameter(UsageError):
    pass


class BadOptionUsage(UsageError):
    pass


class Abort(RuntimeError):
    pass


class _Range:
    """Numbers between two ends."""

    def __init__(self, min=None, max=None, min_open=False, max_open=False, clamp=False):
        self.min, self.max, self.min_open, self.max_open, self.clamp = min, max, min_open, max_open, clamp

    def __call__(self, value):
        return self.kind(value)

    def checked(self, value):
        if self.min is not None and (value <= self.min if self.min_open else value < self.min):
            if not self.clamp:
                raise SystemExit(2)
            return self.min
        if self.max is not None and (value >= self.max if self.max_open else value > self.max):
            if not self.clamp:
                raise SystemExit(2)
            return self.max
        return value


class IntRange(_Range):
    kind = int


class FloatRange(_Range):
    kind = float


class Choice:
    def __init__(self, choices, case_sensitive=True):
        self.choices = list(choices)


class ParamType:
    pass


INT, FLOAT, STRING, UNPROCESSED = int, float, str, str


def BOOL(value):
    return value if isinstance(value, bool) else value.lower() in ("1", "true", "t", "yes", "y", "on")


def Path(*arguments, **options):
    return str


def File(mode="r", *arguments, **options):
    return argparse.FileType(mode)


class _Parameter:
    """What a command is given by one option or argument."""

    def __init__(self, declared, is_option, type=None, default=None, required=False, nargs=1, multiple=False, is_flag=None, flag_value=None, count=False, **others):
        flags = [flag for each in declared if each.startswith("-") for flag in each.split("/")]
        named = [each for each in declared if not each.startswith("-")]
        longest = [flag for flag in flags if flag.startswith("--")] or flags
        self.name = (named or [longest[0].lstrip("-")])[0].replace("-", "_")
        self.name = self.name if named else self.name.lower()
        self.on = [each.split("/")[0].strip() for each in declared if each.startswith("-")]
        self.off = [each.split("/")[1].strip() for each in declared if each.startswith("-") and "/" in each]
        self.is_option, self.type, self.default, self.nargs = is_option, type, default, nargs
        self.required = required if is_option else required or default is None
        self.multiple, self.count, self.flag_value = multiple, count, flag_value
        self.is_flag = is_flag or bool(self.off) or flag_value is not None
        if type is None and default is not None and not self.is_flag:
            kind = type_of(default)
            self.type = BOOL if kind is bool else kind

    def add(self, parser):
        if self.is_flag:
            value = True if self.flag_value is None else self.flag_value
            default = (False if self.flag_value is None else None) if self.default is None else self.default
            parser.add_argument(*self.on, dest=self.name, action="store_const", const=value, default=default)
            if self.off:
                parser.add_argument(*self.off, dest=self.name, action="store_const", const=False, default=default)
            return
        if self.count:
            parser.add_argument(*self.on, dest=self.name, action="count", default=self.default or 0)
            return
        given = {"default": self.default}
        if isinstance(self.type, Choice):
            given["choices"] = self.type.choices
        elif callable(self.type):
            given["type"] = self.type
        if self.multiple:
            given.update(action="append")
        elif self.nargs == -1:
            given["nargs"] = "*"
        elif self.nargs != 1:
            given["nargs"] = self.nargs
        if self.is_option:
            parser.add_argument(*self.on, dest=self.name, required=self.required, **given)
        else:
            parser.add_argument(self.name, **given)

    def taken(self, value):
        if isinstance(self.type, _Range) and value is not None:
            value = self.type.checked(value)
        return tuple(value or ()) if self.multiple or self.nargs != 1 and value is not None else value


def type_of(default):
    kind = type(default[0]) if isinstance(default, (list, tuple)) and default else type(default)
    return kind if kind in (bool, int, float, str) else None


class Context:
    def __init__(self, command=None, obj=None):
        self.command, self.obj, self.invoked_subcommand, self.params = command, obj, None, {}

    def ensure_object(self, kind):
        self.obj = kind() if self.obj is None else self.obj
        return self.obj

    def invoke(self, function, *arguments, **given):
        return getattr(function, "callback", function)(*arguments, **given)

    def exit(self, code=0):
        raise SystemExit(code)

    def fail(self, message):
        raise UsageError(message)


_contexts = []


class Command:
    def __init__(self, callback, name=None, params=()):
        self.callback, self.name, self.params = callback, name or callback.__name__.replace("_", "-"), list(params)
        self.__doc__ = callback.__doc__

    def __call__(self, *arguments, **options):
        return self.main(*arguments, **options)

    def main(self, args=None, prog_name=None, standalone_mode=True, obj=None, **options):
        _contexts.append(Context(self, obj))
        try:
            result = self.invoked(list(sys.argv[1:]) if args is None else list(args))
        except ClickException as error:
            if not standalone_mode:
                raise
            raise SystemExit(error.exit_code)
        _contexts.pop()
        if not standalone_mode:
            return result
        raise SystemExit(0)

    def parsed(self, parser, args):
        for param in self.params:
            param.add(parser)
        namespace, rest = parser.parse_known_args(args)
        given = {param.name: param.taken(getattr(namespace, param.name)) for param in self.params}
        _contexts[-1].params = given
        return given, rest

    def invoked(self, args):
        given, rest = self.parsed(argparse.ArgumentParser(), args)
        if rest:
            raise SystemExit(2)
        return self.callback(**given)


class Group(Command):
    def __init__(self, callback, name=None, params=(), invoke_without_command=False, chain=False):
        super().__init__(callback, name, params)
        self.commands, self.invoke_without_command = {}, invoke_without_command

    def add_command(self, command, name=None):
        self.commands[name or command.name] = command

    def command(self, name=None, **options):
        return _adding(self, command, name, options)

    def group(self, name=None, **options):
        return _adding(self, group, name, options)

    def invoked(self, args):
        names = [place for place, arg in enumerate(args) if arg in self.commands]
        if not names and not self.invoke_without_command:
            raise SystemExit(2)
        place = names[0] if names else len(args)
        given, _ = self.parsed(argparse.ArgumentParser(), args[:place])
        _contexts[-1].invoked_subcommand = args[place] if names else None
        result = self.callback(**given)
        return self.commands[args[place]].invoked(args[place + 1 :]) if names else result


def _adding(owner, kind, name, options):
    def decorate(function):
        made = kind(None if callable(name) else name, **options)(function)
        owner.add_command(made)
        return made

    return decorate(name) if callable(name) else decorate


def _made(kind, name, options):
    options = {key: options[key] for key in ("invoke_without_command",) if key in options}

    def decorate(function):
        params = list(reversed(getattr(function, "__click_params__", [])))
        return kind(function, None if callable(name) else name, params, **options)

    return decorate(name) if callable(name) else decorate


def command(name=None, cls=None, **options):
    return _made(Command, name, {})


def group(name=None, cls=None, **options):
    return _made(Group, name, options)


def _decorating(parameter):
    def decorate(function):
        if isinstance(function, Command):
            function.params.append(parameter)
        else:
            if not hasattr(function, "__click_params__"):
                function.__click_params__ = []
            function.__click_params__.append(parameter)
        return function

    return decorate


def option(*declared, cls=None, **attributes):
    return _decorating(_Parameter(declared, True, **attributes))


def argument(*declared, cls=None, **attributes):
    return _decorating(_Parameter(declared, False, **attributes))


def version_option(*arguments, **options):
    return lambda function: function


help_option = version_option


def _given(function, first):
    def called(*arguments, **given):
        return function(first(), *arguments, **given)

    called.__name__, called.__doc__ = function.__name__, function.__doc__
    called.__click_params__ = getattr(function, "__click_params__", [])
    return called


def get_current_context(silent=False):
    return _contexts[-1]


def pass_context(function):
    return _given(function, get_current_context)


def pass_obj(function):
    return _given(function, lambda: _contexts[-1].obj)


def echo(message=None, *arguments, **options):
    return None


secho = echo


def style(text, *arguments, **options):
    return text


def confirm(text, default=False, abort=False, **options):
    return True if abort else _tensorvet.unknown("what somebody answers", "bool")


def prompt(text, default=None, **options):
    return _tensorvet.unknown("what somebody answers")


class progressbar:
    def __init__(self, iterable=None, length=None, **options):
        self.iterable = range(length) if iterable is None else iterable

    def __iter__(self):
        return iter(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def update(self, n=1):
        return None


def get_app_dir(*arguments, **options):
    return _tensorvet.unknown("a folder", "str")


testing = _system.harmless("click.testing")
