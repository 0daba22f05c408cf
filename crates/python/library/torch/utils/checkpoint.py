"""Computing again instead of keeping: the same results."""


def checkpoint(function, *arguments, use_reentrant=None, context_fn=None, determinism_check="default", debug=False, preserve_rng_state=True, **options):
    return function(*arguments, **options)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **options):
    for function in functions.children() if hasattr(functions, "children") else functions:
        input = function(input)
    return input
