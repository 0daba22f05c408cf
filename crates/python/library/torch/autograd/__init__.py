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


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None, is_grads_batched=False, materialize_grads=False):
    from torch._rules import like

    outputs = outputs if isinstance(outputs, (list, tuple)) else (outputs,)
    for output in outputs:
        if _tensorvet.is_tensor(output) and _tensorvet.gradient(output) == "no":
            raise RuntimeError("grad() of a tensor that does not require grad and does not have a grad_fn")
        if grad_outputs is None and _tensorvet.is_tensor(output):
            _tensorvet.require("gradients start from one number: give `grad_outputs` or reduce first", output.numel() == 1, "shape", output)
    inputs = inputs if isinstance(inputs, (list, tuple)) else (inputs,)
    refused = _tensorvet.walk_back(outputs, True, False)
    if refused is not None:
        raise RuntimeError(refused)
    _backward.run()
    found = []
    for place, each in enumerate(inputs):
        if _tensorvet.is_tensor(each) and _tensorvet.gradient(each) == "no":
            raise RuntimeError("one of the tensors that gradients are asked for does not require grad: number " + str(place))
        if _tensorvet.is_tensor(each) and not materialize_grads and _tensorvet.hangs_on(outputs, each) is False:
            if not allow_unused:
                raise RuntimeError("the outputs do not depend on the tensor at index " + str(place) + " that a gradient is asked for: give allow_unused=True if that is meant")
            found.append(None)
        else:
            found.append(_tensorvet.derived(like(each), *outputs, *inputs) if create_graph else _tensorvet.leaf(like(each), False))
    return tuple(found)


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None):
    for tensor in tensors if isinstance(tensors, (list, tuple)) else (tensors,):
        tensor.backward(grad_tensors)


class detect_anomaly(_Context):
    pass


set_detect_anomaly = detect_anomaly


def gradcheck(*arguments, **options):
    return True


gradgradcheck = gradcheck
