"""Modules and layers."""

import _tensorvet
from torch.nn import functional
from torch.nn import init
from torch.nn._module import Module, Parameter
from torch.nn._containers import Identity, ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from torch.nn._layers import *
from torch.nn._weighted import *
from torch.nn._recurrent import GRU, GRUCell, LSTM, LSTMCell, RNN, RNNCell
from torch.nn._transformer import *
from torch.nn import utils
from torch._versions import FUNCTIONS, LAYERS, later

_LATER = later(LAYERS)
for _name in _LATER:
    _tensorvet.undefine(_name)
# Layers are made of them, whoever may call them.
for _name in later(FUNCTIONS):
    _tensorvet.undefine(_name, functional)


class DataParallel(Module):
    """The module itself, seen through `module`."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module

    def forward(self, *arguments, **options):
        return self.module(*arguments, **options)


def __getattr__(name):
    if name.startswith("Lazy") and _tensorvet.has_name("torch.nn", name):
        from torch.nn import _lazy

        return getattr(_lazy, name)
    if name in _LATER or not name.startswith("_") and not _tensorvet.has_name("torch.nn", name):
        raise AttributeError("module 'torch.nn' has no attribute '" + name + "'")
    return _tensorvet.unknown("`torch.nn." + name + "` is not modelled")
