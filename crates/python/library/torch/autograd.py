"""Gradients: they have the shapes of what they are gradients of."""


class Function:
    @classmethod
    def apply(cls, *arguments):
        return cls.forward(_Context(), *arguments)


class _Context:
    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def mark_dirty(self, *tensors):
        return None


class Variable:
    def __new__(cls, data, requires_grad=False, volatile=False):
        return data


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, allow_unused=None, is_grads_batched=False):
    inputs = inputs if isinstance(inputs, (list, tuple)) else (inputs,)
    return tuple([each.clone() for each in inputs])
