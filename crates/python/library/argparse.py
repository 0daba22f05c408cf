"""The command line: what is given is read as the real parser would, what is required and not given is a symbol."""

import _tensorvet
import sys

SUPPRESS = "==SUPPRESS=="
OPTIONAL, ZERO_OR_MORE, ONE_OR_MORE = "?", "*", "+"
REMAINDER, PARSER = "...", "A..."


class ArgumentError(Exception):
    def __init__(self, argument, message):
        super().__init__(message)
        self.argument_name, self.message = argument, message


class ArgumentTypeError(Exception):
    pass


class Namespace:
    __complete__ = True

    def __init__(self, **values):
        for name, value in values.items():
            setattr(self, name, value)

    def __contains__(self, name):
        return name in self.__dict__

    def __eq__(self, other):
        return isinstance(other, Namespace) and vars(self) == vars(other)

    __hash__ = None

    def __repr__(self):
        return "Namespace(" + ", ".join(f"{name}={value!r}" for name, value in vars(self).items()) + ")"


class HelpFormatter:
    def __init__(self, *arguments, **options):
        return None


class RawDescriptionHelpFormatter(HelpFormatter):
    pass


class RawTextHelpFormatter(HelpFormatter):
    pass


class ArgumentDefaultsHelpFormatter(HelpFormatter):
    pass


class MetavarTypeHelpFormatter(HelpFormatter):
    pass


class FileType:
    def __init__(self, mode="r", *arguments, **options):
        self.mode = mode

    def __call__(self, name):
        return open(name, self.mode)


class Action:
    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None, choices=None, required=False, help=None, metavar=None, **options):
        self.option_strings, self.dest, self.nargs, self.const = option_strings, dest, nargs, const
        self.default, self.type, self.choices, self.required = default, type, choices, required
        self.help, self.metavar = help, metavar

    def __call__(self, parser, namespace, values, option_string=None):
        raise NotImplementedError(".__call__() not defined")


class _Store(Action):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values)


class _Constant(Action):
    def __init__(self, option_strings, dest, const=None, default=None, **options):
        super().__init__(option_strings, dest, nargs=0, const=const, default=default, **options)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, self.const)


class _True(_Constant):
    def __init__(self, option_strings, dest, default=False, **options):
        super().__init__(option_strings, dest, const=True, default=default, **options)


class _False(_Constant):
    def __init__(self, option_strings, dest, default=True, **options):
        super().__init__(option_strings, dest, const=False, default=default, **options)


class _Append(Action):
    def __call__(self, parser, namespace, values, option_string=None):
        held = getattr(namespace, self.dest, None)
        setattr(namespace, self.dest, list(held or []) + [values])


class _AppendConstant(_Constant):
    def __call__(self, parser, namespace, values, option_string=None):
        held = getattr(namespace, self.dest, None)
        setattr(namespace, self.dest, list(held or []) + [self.const])


class _Extend(Action):
    def __call__(self, parser, namespace, values, option_string=None):
        held = getattr(namespace, self.dest, None)
        setattr(namespace, self.dest, list(held or []) + list(values))


class _Count(_Constant):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, (getattr(namespace, self.dest, None) or 0) + 1)


class _Leave(_Constant):
    def __init__(self, option_strings, dest=SUPPRESS, default=SUPPRESS, version=None, **options):
        super().__init__(option_strings, dest, default=default, **options)

    def __call__(self, parser, namespace, values, option_string=None):
        raise SystemExit(0)


class BooleanOptionalAction(_Constant):
    def __init__(self, option_strings, dest, default=None, **options):
        every = []
        for option in option_strings:
            every.append(option)
            if option.startswith("--"):
                every.append("--no-" + option[2:])
        super().__init__(every, dest, default=default, **options)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, not option_string.startswith("--no-"))


class _SubParsers(Action):
    def __init__(self, option_strings, dest, prog=None, parser_class=None, required=False, **options):
        super().__init__(option_strings, dest, nargs=PARSER, required=required)
        self.parser_class = parser_class
        self.choices = {}

    def add_parser(self, name, aliases=(), **options):
        parser = self.parser_class()
        for word in [name] + list(aliases):
            self.choices[word] = parser
        return parser

    def __call__(self, parser, namespace, values, option_string=None):
        if self.dest != SUPPRESS:
            setattr(namespace, self.dest, values[0])
        if values[0] not in self.choices:
            parser.error(f"invalid choice: {values[0]!r}")
        chosen = self.choices[values[0]]
        inner, rest = chosen.parse_known_args(values[1:], None)
        for name, value in vars(inner).items():
            setattr(namespace, name, value)
        if rest:
            namespace._rest = list(getattr(namespace, "_rest", [])) + rest


_ACTIONS = {
    None: _Store,
    "store": _Store,
    "store_true": _True,
    "store_false": _False,
    "store_const": _Constant,
    "append": _Append,
    "append_const": _AppendConstant,
    "extend": _Extend,
    "count": _Count,
    "help": _Leave,
    "version": _Leave,
}


class _Group:
    """A part of a parser: what is added goes to the parser."""

    def __init__(self, parser, required=False):
        self._parser = parser
        self.required = required

    def add_argument(self, *names, **options):
        return self._parser.add_argument(*names, **options)

    def add_argument_group(self, *arguments, **options):
        return _Group(self._parser)

    def add_mutually_exclusive_group(self, required=False):
        return _Group(self._parser, required)

    def set_defaults(self, **values):
        self._parser.set_defaults(**values)


class ArgumentParser:
    def __init__(self, prog=None, usage=None, description=None, epilog=None, parents=(), formatter_class=None, prefix_chars="-", fromfile_prefix_chars=None, argument_default=None, conflict_handler="error", add_help=True, allow_abbrev=True, exit_on_error=True, **options):
        self.prog, self.usage, self.description, self.epilog = prog, usage, description, epilog
        self.allow_abbrev = allow_abbrev
        self._actions = []
        self._by_option = {}
        self._defaults = {}
        self._argument_default = argument_default
        if add_help:
            self.add_argument("-h", "--help", action="help")
        for parent in parents:
            for action in parent._actions:
                if not any(option in self._by_option for option in action.option_strings):
                    self._add(action)
            self._defaults.update(parent._defaults)

    def _add(self, action):
        self._actions.append(action)
        for option in action.option_strings:
            self._by_option[option] = action
        return action

    def register(self, *arguments):
        return None

    def add_argument(self, *names, action=None, dest=None, version=None, **options):
        optional = [name for name in names if name.startswith("-")]
        if dest is None:
            if optional:
                longest = [name for name in optional if name.startswith("--")] or optional
                dest = longest[0].lstrip("-").replace("-", "_")
            else:
                dest = names[0] if names else None
        kind = _ACTIONS[action] if action is None or isinstance(action, str) else action
        if "default" not in options and self._argument_default is not None:
            options["default"] = self._argument_default
        if dest in self._defaults and "default" not in options:
            options["default"] = self._defaults[dest]
        for name in optional:
            if name in self._by_option:
                raise ArgumentError(name, f"argument {'/'.join(optional)}: conflicting option string: {name}")
        return self._add(kind(optional, dest, **options))

    def add_argument_group(self, *arguments, **options):
        return _Group(self)

    def add_mutually_exclusive_group(self, required=False):
        return _Group(self, required)

    def add_subparsers(self, dest=SUPPRESS, parser_class=None, required=False, **options):
        return self._add(_SubParsers([], dest, parser_class=parser_class or type(self), required=required))

    def set_defaults(self, **values):
        self._defaults.update(values)
        for action in self._actions:
            if action.dest in values:
                action.default = values[action.dest]

    def get_default(self, dest):
        for action in self._actions:
            if action.dest == dest and action.default is not None:
                return action.default
        return self._defaults.get(dest)

    def error(self, message):
        _tensorvet.unknown("the command line is refused: " + str(message))
        raise SystemExit(2)

    def exit(self, status=0, message=None):
        raise SystemExit(status)

    def print_help(self, file=None):
        return None

    print_usage = print_help

    def format_help(self):
        return _tensorvet.unknown("a help text", "str")

    format_usage = format_help

    def parse_args(self, args=None, namespace=None):
        namespace, rest = self.parse_known_args(args, namespace)
        if rest:
            self.error("unrecognized arguments: " + " ".join(rest))
        return namespace

    parse_intermixed_args = parse_args

    def parse_known_args(self, args=None, namespace=None):
        args = list(sys.argv[1:]) if args is None else list(args)
        namespace = Namespace() if namespace is None else namespace
        for action in self._actions:
            if action.dest != SUPPRESS and action.default != SUPPRESS and not hasattr(namespace, action.dest):
                setattr(namespace, action.dest, action.default)
        for name, value in self._defaults.items():
            if not hasattr(namespace, name):
                setattr(namespace, name, value)
        seen, rest = self._read(args, namespace)
        for action in self._actions:
            if action in seen or action.dest == SUPPRESS:
                continue
            if action.required or (not action.option_strings and action.nargs in (None, "+", PARSER) or isinstance(action.nargs, int) and not action.option_strings):
                if not isinstance(action, _SubParsers) or action.required:
                    setattr(namespace, action.dest, self._missing(action))
            elif isinstance(action.default, str) and action.type is not None and getattr(namespace, action.dest, None) is action.default:
                setattr(namespace, action.dest, self._value(action, action.default))
        chosen = []
        for action in self._actions:
            if action.dest != SUPPRESS and hasattr(namespace, action.dest):
                value = getattr(namespace, action.dest)
                choices = None if action.choices is None or isinstance(action, _SubParsers) else list(action.choices)
                taken = _tensorvet.option(action.dest, value, action.option_strings, choices, isinstance(action, (_True, _False)), action in seen)
                if choices is not None and taken is not value and not isinstance(taken, (list, tuple)):
                    chosen.append((action, choices, taken))
                setattr(namespace, action.dest, taken)
        for action, choices, taken in chosen:
            if taken not in choices:
                listed = ", ".join(repr(choice) for choice in choices)
                raise SystemExit(f"argument {'/'.join(action.option_strings)}: invalid choice: {taken!r} (choose from {listed})")
        if hasattr(namespace, "_rest"):
            rest = rest + namespace._rest
            del namespace._rest
        return namespace, rest

    parse_known_intermixed_args = parse_known_args

    def _missing(self, action):
        """What a required option that was not given stands for."""
        name = action.option_strings[0] if action.option_strings else action.dest
        if action.nargs in ("+", "*") or isinstance(action.nargs, int):
            return _tensorvet.unknown(f"what is given for `{name}`", "list")
        if action.type is int:
            return _tensorvet.symbol(action.dest, -(2**31), 2**31, f"`{name}` of the command line")
        if action.type is float:
            return _tensorvet.unknown(f"what is given for `{name}`", "float")
        if action.type is None or action.type is str:
            return _tensorvet.unknown(f"what is given for `{name}`", "str")
        return _tensorvet.unknown(f"what is given for `{name}`")

    def _read(self, args, namespace):
        seen, rest = [], []
        positional = [action for action in self._actions if not action.option_strings]
        loose = []
        place = 0
        only = False
        while place < len(args):
            word = args[place]
            place += 1
            if word == "--" and not only:
                only = True
                continue
            action, value = (None, None) if only else self._option(word)
            if action is None:
                if not only and word.startswith("-") and len(word) > 1 and not _is_number(word):
                    rest.append(word)
                    continue
                loose.append(word)
                taker = self._next_positional(positional, seen, len(loose))
                if taker is not None and taker.nargs in (PARSER, REMAINDER):
                    loose = loose + args[place:]
                    place = len(args)
                continue
            if value and action.nargs == 0 and not word.startswith("--"):
                # Letters after a flag are flags, too.
                args = args[:place] + ["-" + value] + args[place:]
                value = None
            values = [value] if value is not None and action.nargs != 0 else []
            most = _most(action.nargs)
            while len(values) < most and place < len(args) and not self._is_option(args[place]):
                values.append(args[place])
                place += 1
            self._take(action, namespace, values, word)
            seen.append(action)
        for number, action in enumerate(positional):
            later = sum(_least(other.nargs) for other in positional[number + 1:])
            count = min(_most(action.nargs), max(len(loose) - later, 0))
            if count < _least(action.nargs) or (count == 0 and action.nargs in (None, PARSER)):
                continue
            if count == 0 and action.nargs in ("?", "*"):
                if action.nargs == "*" and action.default is None:
                    setattr(namespace, action.dest, [])
                continue
            self._take(action, namespace, loose[:count], None)
            loose = loose[count:]
            seen.append(action)
        return seen, rest + loose

    def _next_positional(self, positional, seen, count):
        for action in positional:
            if action.nargs in (PARSER, REMAINDER):
                return action if count >= 1 else None
            count -= _least(action.nargs)
        return None

    def _option(self, word):
        if word in self._by_option:
            return self._by_option[word], None
        if word.startswith("--"):
            name, sign, value = word.partition("=")
            if name in self._by_option:
                return self._by_option[name], value
            fitting = [option for option in self._by_option if option.startswith(name)] if self.allow_abbrev else []
            if len(fitting) == 1 or len({id(self._by_option[option]) for option in fitting}) == 1:
                return self._by_option[fitting[0]], (value if sign else None)
        elif word.startswith("-") and len(word) > 2 and word[:2] in self._by_option and not _is_number(word):
            return self._by_option[word[:2]], word[2:].lstrip("=")
        return None, None

    def _is_option(self, word):
        return word == "--" or (word.startswith("-") and len(word) > 1 and not _is_number(word))

    def _take(self, action, namespace, values, option):
        label = "/".join(action.option_strings) or action.dest
        if len(values) < _least(action.nargs):
            self.error(f"argument {label}: expected {_wanted(action.nargs)}")
        if action.nargs in (None, "?") or action.nargs == 0:
            if action.nargs == "?" and not values:
                value = action.const if option else action.default
            elif action.nargs == 0:
                value = []
            else:
                value = self._value(action, values[0])
        elif action.nargs in (PARSER, REMAINDER):
            value = list(values)
        else:
            value = [self._value(action, each) for each in values]
        action(self, namespace, value, option)

    def _value(self, action, text):
        label = "/".join(action.option_strings) or action.dest
        value = text
        if action.type is not None:
            try:
                value = action.type(text)
            except (TypeError, ValueError, ArgumentTypeError):
                name = getattr(action.type, "__name__", repr(action.type))
                self.error(f"argument {label}: invalid {name} value: {text!r}")
        if action.choices is not None and not isinstance(action, _SubParsers) and value not in action.choices:
            listed = ", ".join(repr(choice) for choice in action.choices)
            self.error(f"argument {label}: invalid choice: {value!r} (choose from {listed})")
        return value


def _is_number(word):
    try:
        float(word)
    except ValueError:
        return False
    return True


def _least(nargs):
    if nargs is None or nargs == "+" or nargs == PARSER:
        return 1
    return nargs if isinstance(nargs, int) else 0


def _most(nargs):
    if nargs is None or nargs == "?":
        return 1
    return nargs if isinstance(nargs, int) else 10**6


def _wanted(nargs):
    if nargs is None:
        return "one argument"
    return "at least one argument" if nargs == "+" else f"{nargs} arguments"
