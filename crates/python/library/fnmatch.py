"""Names by pattern."""

import re


def translate(pattern):
    parts = {"*": ".*", "?": "."}
    return "".join(parts[letter] if letter in parts else re.escape(letter) for letter in pattern)


def fnmatchcase(name, pattern):
    if "[" in pattern:
        import _tensorvet

        return _tensorvet.unknown("whether a name matches", "bool")
    return re.fullmatch(translate(pattern), name, re.DOTALL) is not None


fnmatch = fnmatchcase


def filter(names, pattern):
    return [name for name in names if fnmatch(name, pattern)]
