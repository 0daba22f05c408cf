"""JSON: texts that are known are read."""

import _system


class JSONDecodeError(ValueError):
    pass


class JSONEncoder:
    def __init__(self, *arguments, indent=None, sort_keys=False, **options):
        self.indent, self.sort_keys = indent, sort_keys

    def default(self, value):
        raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")

    def encode(self, value):
        return dumps(value, indent=self.indent, sort_keys=self.sort_keys, default=self.default)


class JSONDecoder:
    def __init__(self, *arguments, **options):
        return None

    def decode(self, text):
        return loads(text)


def loads(text, *, object_hook=None, object_pairs_hook=None, cls=None, **options):
    try:
        value = _system.json_value(text)
    except ValueError as error:
        raise JSONDecodeError(*error.args) from None
    if object_hook is None and object_pairs_hook is None:
        return value
    return _hooked(value, object_hook, object_pairs_hook)


def _hooked(value, hook, pairs_hook):
    if isinstance(value, list):
        return [_hooked(inner, hook, pairs_hook) for inner in value]
    if isinstance(value, dict):
        pairs = [(key, _hooked(inner, hook, pairs_hook)) for key, inner in value.items()]
        return pairs_hook(pairs) if pairs_hook is not None else hook(dict(pairs))
    return value


def load(file, **options):
    return loads(file.read(), **options)


def _plain(value, default):
    """What cannot be written is replaced by what `default` makes of it."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(inner, default) for inner in value]
    if isinstance(value, dict):
        return {key: _plain(inner, default) for key, inner in value.items()}
    return _plain(default(value), default)


def dumps(value, *, indent=None, sort_keys=False, default=None, cls=None, separators=None, ensure_ascii=True, **options):
    if cls is not None:
        return cls(indent=indent, sort_keys=sort_keys, **options).encode(value)
    if default is not None:
        value = _plain(value, default)
    text = _system.json_text(value, indent, sort_keys)
    if separators is not None and indent is None:
        import _tensorvet

        return _tensorvet.unknown("a text with separators of its own", "str")
    return text


def dump(value, file, **options):
    file.write(dumps(value, **options))
