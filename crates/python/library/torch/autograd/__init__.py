"""Gradients: they have the shapes of what they are gradients of."""

import _tensorvet
from torch import _backward
from torch._contexts import _Context, enable_grad, inference_mode, no_grad, set_grad_enabled


class Function:
    @classmethod
    def apply(cls, *arguments):
        return _backward.apply(cls, arguments)


class Variable:
    def __new__(cls, data, requires_grad=False, volatile=False):
        return data


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, allow_unused=None, is_grads_batched=False, materialize_grads=False):
    from torch._rules import like

    outputs = outputs if isinstance(outputs, (list, tuple)) else (outputs,)
    for output in outputs:
        if grad_outputs is None and _tensorvet.is_tensor(output):
            _tensorvet.require("gradients start from one number: give `grad_outputs` or reduce first", output.numel() == 1, "shape", output)
    inputs = inputs if isinstance(inputs, (list, tuple)) else (inputs,)
    _backward.run()
    return tuple([like(each) for each in inputs])


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None):
    for tensor in tensors if isinstance(tensors, (list, tuple)) else (tensors,):
        tensor.backward(grad_tensors)


class detect_anomaly(_Context):
    pass


set_detect_anomaly = detect_anomaly


def gradcheck(*arguments, **options):
    return True


gradgradcheck = gradcheck
