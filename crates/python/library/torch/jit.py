"""Compiled modules compute what they are compiled from."""

from torch._contexts import _Context
from torch.nn._module import Module as ScriptModule


def script(obj=None, *arguments, **options):
    return obj


def trace(func, example_inputs=None, *arguments, **options):
    if example_inputs is not None:
        inputs = example_inputs if isinstance(example_inputs, tuple) else (example_inputs,)
        func(*inputs)
    return func


def freeze(mod, *arguments, **options):
    return mod


export = script_method = optimize_for_inference = freeze


def ignore(drop=False, **options):
    """A decorator with and without parentheses."""
    return drop if callable(drop) else lambda function: function


def unused(fn):
    return fn


def save(m, f, *arguments, **options):
    from torch import _storage

    _storage.save(m, f)


def load(f, *arguments, **options):
    from torch import _storage

    return _storage.stored(f, "torch")


def is_scripting():
    return False


is_tracing = is_scripting


class optimized_execution(_Context):
    pass


Final = list
