"""Derivatives of functions: an axis of the output next to an axis of the input."""

from _tensorvet import made
from torch._rules import kind_of


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    many = isinstance(inputs, (tuple, list))
    outputs = func(*inputs) if many else func(inputs)

    def of(output):
        parts = [made(kind_of(output), [*output.shape, *each.shape]) for each in (inputs if many else [inputs])]
        return tuple(parts) if many else parts[0]

    return tuple([of(each) for each in outputs]) if isinstance(outputs, tuple) else of(outputs)


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    func(*inputs) if isinstance(inputs, (tuple, list)) else func(inputs)
    if not isinstance(inputs, (tuple, list)):
        return made(kind_of(inputs), [*inputs.shape, *inputs.shape])
    return tuple([tuple([made(kind_of(a), [*a.shape, *b.shape]) for b in inputs]) for a in inputs])
