"""Compiled modules and functions: what they compute is the same."""


def script(obj, *arguments, **options):
    return obj


def trace(func, example_inputs=None, *arguments, **options):
    return func


def ignore(function=None, **options):
    return (lambda wrapped: wrapped) if function is None else function


unused = export = script_if_tracing = ignore


def is_scripting():
    return False


is_tracing = is_scripting


def save(m, f, *arguments):
    return None
