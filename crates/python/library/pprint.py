"""Printing, prettily: the text is not laid out here."""

import _tensorvet


def pprint(thing, *arguments, **options):
    return None


pp = pprint


def pformat(thing, *arguments, **options):
    return _tensorvet.unknown("a text laid out prettily", "str")


class PrettyPrinter:
    def __init__(self, *arguments, **options):
        return None

    def pprint(self, thing):
        return None

    def pformat(self, thing):
        return pformat(thing)
