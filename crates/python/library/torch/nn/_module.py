"""Modules, and layers told by a table."""

import _tensorvet
from _tensorvet import made
from torch import _types
from torch import _backward
from torch._creation import kind_named as _kind_named
from torch._rules import laid_out
from torch._versions import ARGUMENTS, later
from torch.nn import _state
from torch._tensor import Tensor, asked_of_to

REQUIRED = object()
_LATER = later(ARGUMENTS)


class Parameter(Tensor):
    """A tensor that a module holds as its own; gradients are computed for it unless that is not wanted."""

    def __new__(cls, data=None, requires_grad=True):
        if data is not None and not _tensorvet.is_tensor(data):
            return data if _tensorvet.is_unknown(data) else _tensorvet.unknown("a parameter of something that is no tensor")
        data = made(_types.DEFAULT["float"], [0]) if data is None else data
        kind = _tensorvet.kind(data)
        _tensorvet.require("only floating-point and complex tensors can require gradients", requires_grad is not True or kind is None or _types.kind_class(kind) >= 2, "type", data, raises=AssertionError)
        # Training changes it: what it starts from is no constant of the program.
        return _tensorvet.alias(_tensorvet.trained(data), requires_grad, cls)


def parameter(sizes, dtype=None, within=None):
    """A weight of a layer, which starts between two numbers; only floating-point and complex numbers have gradients."""
    kind = _kind_named(dtype)
    _tensorvet.require("weights are floating-point or complex numbers", _types.kind_class(kind) >= 2, "type")
    # A tuple stands for its numbers.
    if not _tensorvet.all_ints(sizes):
        sizes = [each for size in sizes for each in (size if _tensorvet.decided(isinstance(size, (tuple, list))) is True else [size])]
        for place, size in enumerate(sizes):
            # PyTorch takes a flag for a size wherever the first size is none.
            if _tensorvet.decided(isinstance(size, int) and not (place == 0 and isinstance(size, bool))) is False:
                raise TypeError("a size must be int, not " + type(size).__name__)
            if _tensorvet.decided(isinstance(size, bool)) is True:
                sizes[place] = int(size)
    data = made(kind, sizes)
    if within is not None and _tensorvet.follows_values():
        data = _tensorvet.starting(data, *within)
    return _tensorvet.alias(data, True, Parameter)


def around_zero(count, factor=1.0):
    """Between minus and plus so much over the root of a number; None if that is not known."""
    if _tensorvet.is_unknown(count) or not _tensorvet.all_ints([count]) or count <= 0:
        return None
    return -factor / count**0.5, factor / count**0.5


class RemovableHandle:
    def __init__(self, hooks, number):
        self._hooks, self.id = hooks, number

    def remove(self):
        self._hooks.pop(self.id, None)

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.remove()


class Module:
    training = True
    # Functions that see what goes in and what comes out, once there are any.
    _hooks = None
    # Buffers that are no part of the state.
    _passing = ()
    # What a module is made of; there is nothing before `__init__`.
    _modules = _parameters = _buffers = None
    # A hook changes states before they are loaded.
    _translates = False

    def __init__(self):
        self._modules = {}
        self._parameters = {}
        self._buffers = {}

    def __call__(self, *arguments, **options):
        return self.forward(*arguments, **options) if self._hooks is None else self._hooked(arguments, options)

    def _hooked(self, arguments, options):
        before, after, *backward = self._hooks
        for hook, settings in list(before.values()):
            changed = hook(self, arguments, options) if settings.get("with_kwargs") else hook(self, arguments)
            if changed is not None and settings.get("with_kwargs"):
                arguments, options = changed
            elif changed is not None:
                arguments = changed if isinstance(changed, tuple) else (changed,)
        result = self.forward(*arguments, **options)
        for hook, settings in list(after.values()):
            changed = hook(self, arguments, options, result) if settings.get("with_kwargs") else hook(self, arguments, result)
            result = result if changed is None else changed
        if backward[0] or backward[1]:
            _backward.await_module(self, backward, arguments, result)
        return result

    def _hook(self, place, hook, settings):
        if self._hooks is None:
            # Before and after `forward`, before and after the backward pass.
            object.__setattr__(self, "_hooks", ({}, {}, {}, {}))
        hooks = self._hooks[place]
        number = max(hooks, default=0) + 1
        hooks[number] = (hook, settings) if place < 2 else hook
        return RemovableHandle(hooks, number)

    def _getattr(self, name):
        """What `super().__getattr__(name)` gives in classes with a `__getattr__` of their own."""
        if name in self.__dict__:
            return self.__dict__[name]
        raise AttributeError("'" + type(self).__name__ + "' object has no attribute '" + name + "'")

    @_tensorvet.lets_plain_pass
    def __setattr__(self, name, value):
        if _tensorvet.is_unknown(value):
            pass
        elif isinstance(value, Module):
            if self._modules is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._modules[name] = value
        elif isinstance(value, Parameter):
            if self._parameters is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._parameters[name] = value
        elif _tensorvet.is_tensor(value) or value is None:
            self._set_tensor(name, value)
        object.__setattr__(self, name, value)

    def _set_tensor(self, name, value):
        """A tensor that is no parameter takes the place of a buffer, not of a parameter."""
        if self._parameters is not None and name in self._parameters:
            if value is not None:
                raise TypeError("cannot assign a plain tensor as parameter '" + name + "' (torch.nn.Parameter or None expected)")
            self._parameters[name] = None
        elif self._buffers is not None and name in self._buffers:
            self._buffers[name] = value

    def forward(self, *arguments):
        raise NotImplementedError('Module [' + type(self).__name__ + '] is missing the required "forward" function')

    def register_buffer(self, name, tensor, persistent=True):
        self._buffers[name] = tensor
        if not persistent:
            object.__setattr__(self, "_passing", (*self._passing, name))
        object.__setattr__(self, name, tensor)

    def register_parameter(self, name, param):
        self._parameters[name] = param
        object.__setattr__(self, name, param)

    def add_module(self, name, module):
        if not _tensorvet.is_unknown(module) and not isinstance(module, Module) and module is not None:
            raise TypeError(type(module).__name__ + " is not a Module subclass")
        self._modules[name] = module
        object.__setattr__(self, name, module)

    register_module = add_module

    def register_forward_pre_hook(self, hook, **options):
        return self._hook(0, hook, options)

    def register_forward_hook(self, hook, **options):
        return self._hook(1, hook, options)

    def register_full_backward_pre_hook(self, hook, **options):
        return self._hook(2, hook, options)

    def register_full_backward_hook(self, hook, **options):
        return self._hook(3, hook, options)

    register_backward_hook = register_full_backward_hook

    def children(self):
        return iter([module for module in self._modules.values() if module is not None])

    def modules(self):
        # A module that stands in several places is one.
        return iter(list({id(module): module for module in self._all_modules([])}.values()))

    def _all_modules(self, found):
        found.append(self)
        for module in self._modules.values():
            if module is not None:
                module._all_modules(found)
        return found

    def named_children(self):
        return iter([pair for pair in self._modules.items() if pair[1] is not None])

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        found = [(prefix, self)]
        for name, module in self._modules.items():
            if module is not None:
                found.extend(module.named_modules(None, prefix + "." + name if prefix else name, False))
        if not remove_duplicate:
            return iter(found)
        first = {id(module): name for name, module in reversed(found)}
        return iter(found if len(first) == len(found) else [pair for pair in found if first[id(pair[1])] == pair[0]])

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        prefix = prefix + "." if prefix else ""
        found = _tensorvet.weights(self, prefix, recurse)
        if found is None:
            found = self._named_parameters(prefix, recurse, [])
        if not remove_duplicate:
            return iter(found)
        # A weight that several layers share is one.
        seen = {id(value): (name, value) for name, value in reversed(found)}
        return iter(found if len(seen) == len(found) else [pair for pair in found if seen[id(pair[1])][0] == pair[0]])

    def _named_parameters(self, prefix, recurse, found):
        for name, value in self._parameters.items():
            if value is not None:
                found.append((prefix + name, value))
        if recurse:
            for name, module in self._modules.items():
                if module is not None:
                    module._named_parameters(prefix + name + ".", True, found)
        return found

    def parameters(self, recurse=True):
        return iter([value for _, value in self.named_parameters(recurse=recurse)])

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        found = [(prefix + name, value) for name, value in self._buffers.items() if value is not None]
        if recurse:
            for name, module in self._modules.items():
                if module is not None:
                    found.extend(module.named_buffers(prefix + name + "."))
        return iter(found)

    def buffers(self, recurse=True):
        return iter([value for _, value in self.named_buffers(recurse=recurse)])

    def get_submodule(self, target):
        module = self
        for name in target.split("."):
            module = getattr(module, name)
        return module

    def train(self, mode=True):
        if _tensorvet.decided(isinstance(mode, bool)) is False:
            raise ValueError("training mode is expected to be boolean")
        for module in _tensorvet.set_training(self, mode):
            module.train(mode)
        return self

    def eval(self: Module):
        return self.train(False)

    def to(self, *arguments, **options):
        kind, memory_format = asked_of_to(arguments, options)
        if memory_format is not None and memory_format._name.startswith("channels_last"):
            _types.FORMATTED[:] = [True]
            for weight in list(self.parameters()) + list(self.buffers()):
                # Weights of other ranks are left as they are.
                if weight.ndim in (4, 5):
                    laid_out(weight, memory_format)
        if kind is None:
            return self
        if not kind.is_floating_point and not kind.is_complex:
            raise TypeError("nn.Module.to only accepts floating point or complex dtypes, but got desired dtype=" + repr(kind))
        return self._cast(kind)

    def type(self, dst_type):
        if not isinstance(dst_type, (str, _types.dtype)) and not callable(dst_type):
            raise TypeError("dtype must be a type, str, or dtype object")
        kind = _types.of_tensor_type(dst_type if isinstance(dst_type, (str, _types.dtype)) else dst_type.__name__)
        if not kind.is_floating_point and not kind.is_complex:
            raise RuntimeError("data set to a tensor that requires gradients must be floating point or complex dtype")
        return self._cast(kind)

    def _cast(self, kind):
        """The weights in another type."""
        for module in self.modules():
            for name, value in list(module._parameters.items()):
                if value is not None and value.dtype.is_floating_point:
                    value.data = value.detach().to(kind)
            for name, value in list(module._buffers.items()):
                if value is not None and value.dtype.is_floating_point:
                    module.register_buffer(name, value.to(kind))
        return self

    def float(self):
        return self._cast(_types.float32)

    def double(self):
        return self._cast(_types.float64)

    def half(self):
        return self._cast(_types.float16)

    def bfloat16(self):
        return self._cast(_types.bfloat16)

    def cuda(self, device=None):
        return self

    cpu = share_memory = cuda

    def requires_grad_(self, requires_grad: bool = True):
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def apply(self, fn):
        for module in self.modules():
            fn(module)
        return self

    def zero_grad(self, set_to_none=True):
        if set_to_none is True:
            _tensorvet.clear_gradients(list(self.parameters()))

    def extra_repr(self):
        return ""

    def state_dict(self, *arguments, destination=None, prefix="", keep_vars=False):
        return _state.collected(self, {} if destination is None else destination, prefix, keep_vars)

    def load_state_dict(self, state_dict, strict=True, assign=False):
        return _state.loaded(self, state_dict, strict, assign, Module._load_from_state_dict)

    def _load_from_state_dict(self, *arguments):
        return None

    def register_load_state_dict_pre_hook(self, hook):
        object.__setattr__(self, "_translates", True)
        return RemovableHandle({}, 1)

    _register_load_state_dict_pre_hook = register_load_state_dict_pre_hook


def layer(name, function, inputs=1, checked=None, **parameters):
    """A module that calls a function with the numbers it was made with.

    `parameters` are those of the constructor, in order, with their defaults; those the function does not take start
    with nothing to say: `checked` sees them all.
    """
    words = [word for word in parameters if name + "." + word not in _LATER]

    def __init__(self, *arguments, **options):
        Module.__init__(self)
        if len(arguments) > len(words):
            raise TypeError(name + "() takes " + str(len(words)) + " arguments but " + str(len(arguments)) + " were given")
        for word, value in zip(words, arguments):
            if word in options:
                raise TypeError(name + "() got multiple values for argument '" + word + "'")
            options[word] = value
        for word in options:
            if word not in words:
                raise TypeError(name + "() got an unexpected keyword argument '" + word + "'")
        for word in parameters:
            value = options.get(word, parameters[word])
            if value is REQUIRED:
                raise TypeError(name + "() missing 1 required positional argument: '" + word + "'")
            object.__setattr__(self, word, value)
        if checked is not None:
            checked(self)

    def forward(self, *tensors, **options):
        if len(tensors) + len(options) != inputs:
            raise TypeError("forward() of " + name + " takes " + str(inputs) + " tensors")
        return function(self, *tensors, **options)

    return type(name, (Module,), {"__init__": __init__, "forward": forward})


def given(function, *words):
    """Calls a function with attributes of the module as named arguments."""

    def forward(self, *tensors, **options):
        return function(*tensors, **options, **{word: getattr(self, word) for word in words})

    return forward
