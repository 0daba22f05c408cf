"""Files by pattern: which are there, only the run will tell."""

import _tensorvet


def glob(pattern, **options):
    return _tensorvet.unknown("the files that match a pattern", "list")


iglob = glob


def escape(path):
    return path


def has_magic(text):
    return any(letter in text for letter in "*?[")
