"""Activations computed again: the result is the same."""


def checkpoint(function, *args, use_reentrant=None, context_fn=None, determinism_check="default", debug=False, **kwargs):
    return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    for function in functions:
        input = function(input)
    return input
