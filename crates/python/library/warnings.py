"""Warnings are not shown."""


def warn(message, category=None, stacklevel=1, source=None, **options):
    return None


def warn_explicit(*arguments, **options):
    return None


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    return None


def simplefilter(action, category=Warning, lineno=0, append=False):
    return None


def resetwarnings():
    return None


def showwarning(*arguments, **options):
    return None


def formatwarning(*arguments, **options):
    return ""


class catch_warnings:
    def __init__(self, *, record=False, **options):
        self.record = record

    def __enter__(self):
        return [] if self.record else None

    def __exit__(self, *error):
        return None


def deprecated(message, /, **options):
    return lambda thing: thing
