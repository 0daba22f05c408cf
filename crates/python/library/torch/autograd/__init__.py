"""Gradients: they have the shapes of what they are gradients of."""

import _tensorvet
from torch._contexts import _Context, enable_grad, inference_mode, no_grad, set_grad_enabled


class _Saved:
    """What a function remembers for its backward pass."""

    saved_tensors = ()
    needs_input_grad = (True,) * 16

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    save_for_forward = save_for_backward

    _without_gradient = ()

    def mark_non_differentiable(self, *tensors):
        self._without_gradient = tensors

    def mark_dirty(self, *tensors):
        return None

    set_materialize_grads = mark_dirty


class Function:
    @classmethod
    def apply(cls, *arguments):
        context = _Saved()
        # How the output is computed has no say: its gradient is what `backward` gives.
        with no_grad():
            if "setup_context" in cls.__dict__:
                output = cls.forward(*arguments)
                cls.setup_context(context, arguments, output)
            else:
                output = cls.forward(context, *arguments)
        sources = [each for each in arguments if _tensorvet.is_tensor(each) or _tensorvet.is_unknown(each)]
        for each in output if isinstance(output, (list, tuple)) else (output,):
            if _tensorvet.is_tensor(each) and not any([each is other for other in (*arguments, *context._without_gradient)]):
                _tensorvet.derived(each, *sources)
        return output


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
