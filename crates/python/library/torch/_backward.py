"""Backward passes and hooks that programs write themselves: they run when `backward()` is reached, on gradients with the
shapes of the outputs, and what they return has to fit the inputs."""

import _tensorvet
from _tensorvet import require
from torch._contexts import no_grad
from torch._rules import kind_of, like

# What awaits the next backward pass, with its arguments: each function, module and tensor once for inputs of the same
# shapes.
_AWAITED = {}
# Hooks of leaves, which see every backward pass.
_STAYING = {}


class Context:
    """What a function remembers for its backward pass."""

    __complete__ = True
    saved_tensors = ()
    _without_gradient = ()

    def __init__(self, needed):
        self.needs_input_grad = needed

    def save_for_backward(self, *tensors):
        for place, each in enumerate(tensors):
            if isinstance(each, (int, float, str, list, tuple, dict)):
                raise TypeError(f"save_for_backward can only save variables, but argument {place} is of type {type(each).__name__}")
        self.saved_tensors = tensors

    save_for_forward = save_for_backward

    @property
    def saved_variables(self):
        return self.saved_tensors

    def mark_non_differentiable(self, *tensors):
        self._without_gradient = tensors

    def mark_dirty(self, *tensors):
        return None

    def set_materialize_grads(self, value):
        return None

    def maybe_clear_saved_tensors(self):
        return None


def apply(function, arguments):
    context = Context(tuple([_tensorvet.is_tensor(each) and _tensorvet.gradient(each) != "no" for each in arguments]))
    # How the output is computed has no say: its gradient is what `backward` gives.
    with no_grad():
        if "setup_context" in function.__dict__:
            output = function.forward(*arguments)
            function.setup_context(context, arguments, output)
        else:
            output = function.forward(context, *arguments)
    sources = [each for each in arguments if _tensorvet.is_tensor(each) or _tensorvet.is_unknown(each)]
    outputs = tuple(output) if isinstance(output, tuple) else (output,)
    for each in outputs:
        if _tensorvet.is_tensor(each) and not any([each is other for other in (*arguments, *context._without_gradient)]):
            _tensorvet.derived(each, *sources)
    if any([_tensorvet.is_tensor(each) and _tensorvet.gradient(each) == "derived" for each in outputs]):
        shapes = [tuple(each.shape) if _tensorvet.is_tensor(each) else None for each in arguments]
        _AWAITED[f"{function.__qualname__}{shapes}"] = (_function_backward, (function, context, arguments, outputs))
    return output


def go(tensors, keeps):
    """A backward pass, which frees what was kept for it unless it is told to keep it."""
    refused = _tensorvet.walk_back(tensors, keeps)
    if refused is not None:
        raise RuntimeError(refused)
    run()


def run():
    """The backward pass of every function that was applied, and the hooks."""
    if not _AWAITED and not _STAYING:
        return
    awaited = list(_AWAITED.values())
    _AWAITED.clear()
    with no_grad():
        for callback, arguments in [*reversed(awaited), *list(_STAYING.values())]:
            callback(*arguments)


def _function_backward(function, context, arguments, outputs):
    _check(function, context, arguments, [_given(each) for each in outputs])


def await_module(module, hooks, arguments, result):
    """Lets hooks of a module see the gradients of its inputs and outputs."""
    outputs = tuple([each for each in (result if isinstance(result, tuple) else (result,)) if _tensorvet.is_tensor(each)])
    if any([_tensorvet.gradient(each) == "derived" for each in outputs]):
        shapes = [tuple(each.shape) for each in outputs]
        _AWAITED[f"{id(module)}{shapes}"] = (_module_backward, (module, hooks, arguments, outputs))


def _module_backward(module, hooks, arguments, outputs):
    before, after = hooks
    given = tuple([_given(each) for each in outputs])
    for hook in list(before.values()):
        changed = hook(module, given)
        given = given if changed is None else changed if isinstance(changed, tuple) else (changed,)
    found = tuple([_given(each) if _tensorvet.is_tensor(each) and _tensorvet.gradient(each) != "no" else None for each in arguments])
    for hook in list(after.values()):
        changed = hook(module, found, given)
        if isinstance(changed, tuple) and len(changed) != len(found):
            raise RuntimeError(f"Backward hook returned an invalid number of grad_input, got {len(changed)}, but expected {len(found)}")


def await_tensor(tensor, hook, sees_tensor=False):
    """Lets a hook see the gradient of a tensor; of a leaf, that of every backward pass. Gives where it waits."""
    waiting = _STAYING if _tensorvet.gradient(tensor) == "leaf" else _AWAITED
    number = f"{id(tensor)}#{len(waiting)}"
    waiting[number] = (_tensor_backward, (tensor, hook, sees_tensor))
    return waiting, number


def _tensor_backward(tensor, hook, sees_tensor):
    changed = hook(tensor if sees_tensor else _given(tensor))
    if _tensorvet.is_tensor(changed) and not sees_tensor:
        require("a hook returns a gradient with the shape of the tensor", changed.shape == tensor.shape, "shape", changed, tensor)


def _given(output):
    """The gradient of an output, which nobody has to need."""
    return _tensorvet.leaf(like(output), False) if _tensorvet.is_tensor(output) else None


def _check(function, context, arguments, given):
    backward = getattr(function, "backward", None) or getattr(function, "vjp", None)
    if backward is None:
        raise NotImplementedError("You must implement either the backward or vjp method for your custom autograd.Function to use it with backward mode AD.")
    gradients = backward(context, *given)
    if _tensorvet.is_unknown(gradients):
        return
    gradients = gradients if isinstance(gradients, tuple) else (gradients,)
    name, count = function.__name__ + "Backward", len(arguments)
    rest = gradients[count:]
    if len(gradients) < count or any([each is not None for each in rest]):
        raise RuntimeError(f"function {name} returned an incorrect number of gradients (expected {count}, got {len(gradients)})")
    for place in range(count):
        gradient, input = gradients[place], arguments[place]
        if gradient is None or _tensorvet.is_unknown(gradient) or _tensorvet.is_unknown(input):
            continue
        if not _tensorvet.is_tensor(input):
            raise RuntimeError(f"function {name} returned a gradient different than None at position {place + 1}, but the corresponding forward input was not a Variable")
        if not _tensorvet.is_tensor(gradient):
            raise RuntimeError(f"expected Variable or None (got {type(gradient).__name__})")
        if _tensorvet.gradient(input) in ("leaf", "derived"):
            _fits(name, place, gradient, input)


def _fits(name, place, gradient, input):
    require(f"{name} returns a gradient at index {place} that has the axes of its input", gradient.ndim >= input.ndim, "shape", gradient, input)
    for axis in range(1, input.ndim + 1):
        require(f"{name} returns a gradient at index {place} that fits its input, or spreads over axes of length 1", gradient.shape[-axis] == input.shape[-axis] or input.shape[-axis] == 1, "shape", gradient, input)
    require(f"{name} returns a real gradient at index {place} for a real input", kind_of(gradient) not in ("c64", "c128") or kind_of(input) in ("c64", "c128"), "type", gradient, input)
