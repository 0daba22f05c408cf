"""Functions of functions."""

import _tensorvet
from _tensorvet import made
from torch._rules import like, kind_of


def grad(func, argnums=0, has_aux=False):
    def differentiated(*arguments, **options):
        result = func(*arguments, **options)
        output = result[0] if has_aux else result
        _tensorvet.require("gradients start from one number", output.numel() == 1, "shape", output)
        places = argnums if isinstance(argnums, tuple) else (argnums,)
        gradients = [_each(like, arguments[place]) for place in places]
        gradient = tuple(gradients) if isinstance(argnums, tuple) else gradients[0]
        return (gradient, result[1]) if has_aux else gradient

    return differentiated


def grad_and_value(func, argnums=0, has_aux=False):
    def differentiated(*arguments, **options):
        return grad(func, argnums)(*arguments, **options), func(*arguments, **options)

    return differentiated


def _each(function, value):
    """A function of every tensor in nested containers."""
    if _tensorvet.is_tensor(value):
        return function(value)
    if isinstance(value, dict):
        return {key: _each(function, each) for key, each in value.items()}
    return type(value)([_each(function, each) for each in value]) if isinstance(value, (tuple, list)) else value


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """The function on one slice; its results get the axis of the slices."""

    def mapped(*arguments, **options):
        dims = in_dims if isinstance(in_dims, tuple) else (in_dims,) * len(arguments)
        sizes, slices = [], []
        for value, dim in zip(arguments, dims):
            if _tensorvet.is_tensor(value) and dim is not None:
                sizes.append(value.shape[dim])
                slices.append(value.select(dim, 0))
            else:
                slices.append(value if dim is None else _each(lambda each: sizes.append(each.shape[dim]) or each.select(dim, 0), value))
        for size in sizes:
            _tensorvet.require("what is mapped over has one size", size == sizes[0], "shape", raises=ValueError)
        result = func(*slices, **options)
        return _each(lambda each: made(kind_of(each), [*each.shape[:out_dims], sizes[0], *each.shape[out_dims:]]) if out_dims >= 0 else each.unsqueeze(out_dims), result)

    return mapped


def stack_module_state(models):
    """The parameters and buffers of several modules of one kind, one beside the other."""
    from torch import stack

    if len(models) == 0:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if any([type(model) is not type(models[0]) for model in models]):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    of_each = [dict(model.named_parameters()) for model in models]
    parameters = {name: stack([each[name].detach() for each in of_each]).requires_grad_() for name in of_each[0]}
    of_each = [dict(model.named_buffers()) for model in models]
    return parameters, {name: stack([each[name] for each in of_each]) for name in of_each[0]}


def functional_call(module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False):
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    return module(*args, **(kwargs or {}))


def jacrev(func, argnums=0, has_aux=False, chunk_size=None):
    def differentiated(*arguments):
        result = func(*arguments)
        return made(kind_of(result), [*result.shape, *arguments[argnums].shape])

    return differentiated


jacfwd = jacrev


def hessian(func, argnums=0):
    def differentiated(*arguments):
        func(*arguments)
        x = arguments[argnums]
        return made(kind_of(x), [*x.shape, *x.shape])

    return differentiated


def functionalize(func, **options):
    return func
