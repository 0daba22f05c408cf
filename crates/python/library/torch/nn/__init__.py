"""Modules and layers."""

import _tensorvet
from torch import _types
from torch._tensor import Tensor
from torch.nn import functional


class Parameter(Tensor):
    def __new__(cls, data, requires_grad=True):
        return data


def _parameter(*sizes):
    return _tensorvet.given("f32", list(sizes))


class Module:
    training = True

    def __init__(self):
        self._modules = {}
        self._parameters = {}
        self._buffers = {}

    def __call__(self, *arguments, **options):
        return self.forward(*arguments, **options)

    def __setattr__(self, name, value):
        if isinstance(value, Module):
            if "_modules" not in self.__dict__:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._modules[name] = value
        elif _tensorvet.is_tensor(value) and "_parameters" in self.__dict__:
            self._parameters[name] = value
        object.__setattr__(self, name, value)

    def forward(self, *arguments):
        raise NotImplementedError('Module [' + type(self).__name__ + '] is missing the required "forward" function')

    def register_buffer(self, name, tensor, persistent=True):
        self._buffers[name] = tensor
        object.__setattr__(self, name, tensor)

    def register_parameter(self, name, parameter):
        self._parameters[name] = parameter
        object.__setattr__(self, name, parameter)

    def add_module(self, name, module):
        self._modules[name] = module
        object.__setattr__(self, name, module)

    register_module = add_module

    def children(self):
        return iter(list(self._modules.values()))

    def modules(self):
        found = [self]
        for module in self._modules.values():
            found.extend(module.modules())
        return iter(found)

    def named_children(self):
        return iter(list(self._modules.items()))

    def named_modules(self, prefix=""):
        found = [(prefix, self)]
        for name, module in self._modules.items():
            found.extend(module.named_modules(prefix + "." + name if prefix else name))
        return iter(found)

    def named_parameters(self, prefix="", recurse=True):
        found = [(prefix + name, value) for name, value in self._parameters.items() if value is not None]
        for name, module in self._modules.items():
            found.extend(module.named_parameters(prefix + name + "."))
        return iter(found)

    def parameters(self, recurse=True):
        return iter([value for _, value in self.named_parameters()])

    def train(self, mode=True):
        self.training = mode
        for module in self._modules.values():
            module.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def to(self, *arguments, **options):
        return self

    cuda = cpu = float = double = half = requires_grad_ = to

    def apply(self, function):
        for module in self.modules():
            function(module)
        return self

    def zero_grad(self, set_to_none=True):
        return None

    def state_dict(self, *arguments, **options):
        return {name: value for name, value in self.named_parameters()}

    def load_state_dict(self, state, strict=True):
        return None


class Sequential(Module):
    def __init__(self, *modules):
        super().__init__()
        if len(modules) == 1 and isinstance(modules[0], dict):
            for name, module in modules[0].items():
                self.add_module(name, module)
        else:
            for number, module in enumerate(modules):
                self.add_module(str(number), module)

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input

    def __iter__(self):
        return iter(list(self._modules.values()))

    def __len__(self):
        return len(self._modules)

    def __getitem__(self, index):
        found = list(self._modules.values())[index]
        return Sequential(*found) if isinstance(found, list) else found

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self


class ModuleList(Sequential):
    def __init__(self, modules=()):
        super().__init__(*list(modules))

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self


class Identity(Module):
    def __init__(self, *arguments, **options):
        super().__init__()

    def forward(self, input):
        return input


class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = _parameter(out_features, in_features)
        self.bias = _parameter(out_features) if bias else None

    def forward(self, input):
        return functional.linear(input, self.weight, self.bias)


class _Conv(Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode="zeros", device=None, dtype=None):
        super().__init__()
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        kernel = functional.per_axis(kernel_size, self.axes)
        self.in_channels, self.out_channels, self.kernel_size = in_channels, out_channels, tuple(kernel)
        self.stride, self.padding, self.dilation, self.groups = stride, padding, dilation, groups
        self.weight = _parameter(out_channels, in_channels // groups, *kernel)
        self.bias = _parameter(out_channels) if bias else None

    def forward(self, input):
        return functional.conv(self.axes, input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class Conv1d(_Conv):
    axes = 1


class Conv2d(_Conv):
    axes = 2


class Conv3d(_Conv):
    axes = 3


class MaxPool2d(Module):
    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride, padding
        self.dilation, self.ceil_mode = dilation, ceil_mode

    def forward(self, input):
        return functional.max_pool2d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode)


class AvgPool2d(Module):
    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__()
        self.kernel_size, self.stride, self.padding, self.ceil_mode = kernel_size, stride, padding, ceil_mode

    def forward(self, input):
        return functional.avg_pool2d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode)


class _BatchNorm(Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True):
        super().__init__()
        self.num_features = num_features
        self.weight, self.bias = _parameter(num_features), _parameter(num_features)
        self.running_mean, self.running_var = _parameter(num_features), _parameter(num_features)

    def forward(self, input):
        _tensorvet.require(self.label, input.ndim == self.rank or input.ndim == self.other_rank, "shape", input)
        return _tensorvet.operate("batch_normalization", input, self.weight, self.bias, self.running_mean, self.running_var, _as="batch_norm")


class BatchNorm1d(_BatchNorm):
    rank, other_rank, label = 3, 2, "`BatchNorm1d` takes an input of two or three axes"


class BatchNorm2d(_BatchNorm):
    rank, other_rank, label = 4, 4, "`BatchNorm2d` takes an input of four axes"


class Dropout(Module):
    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if not 0.0 <= p <= 1.0:
            raise ValueError("dropout probability has to be between 0 and 1, but got " + str(p))

    def forward(self, input):
        return input


Dropout1d = Dropout2d = Dropout3d = Dropout


class Flatten(Module):
    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input):
        return input.flatten(self.start_dim, self.end_dim)


def _activation(function):
    class Activation(Module):
        def __init__(self, *arguments, **options):
            super().__init__()

        def forward(self, input):
            return function(input)

    return Activation


ReLU = _activation(functional.relu)
Sigmoid = _activation(functional.sigmoid)
Tanh = _activation(functional.tanh)


class Softmax(Module):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return functional.softmax(input, self.dim)


class LogSoftmax(Softmax):
    def forward(self, input):
        return functional.log_softmax(input, self.dim)


class Embedding(Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx=None):
        super().__init__()
        self.weight = _parameter(num_embeddings, embedding_dim)

    def forward(self, input):
        return _tensorvet.operate("gather", self.weight, input, axis=0, _as="embedding")


class CrossEntropyLoss(Module):
    def __init__(self, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
        super().__init__()
        self.reduction = reduction

    def forward(self, input, target):
        return functional.cross_entropy(input, target, reduction=self.reduction)


class NLLLoss(CrossEntropyLoss):
    def forward(self, input, target):
        return functional.nll_loss(input, target, reduction=self.reduction)


class MSELoss(Module):
    def __init__(self, reduction="mean"):
        super().__init__()
        self.reduction = reduction

    def forward(self, input, target):
        return functional.mse_loss(input, target, reduction=self.reduction)
