"""Modules and layers."""

from torch.nn import functional
from torch.nn import init
from torch.nn._module import Module, Parameter
from torch.nn._containers import Identity, ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from torch.nn._layers import *
from torch.nn._weighted import *
from torch.nn._recurrent import GRU, GRUCell, LSTM, LSTMCell, RNN, RNNCell
from torch.nn._transformer import *
from torch.nn import utils


class DataParallel(Module):
    """The module itself, seen through `module`."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module

    def forward(self, *arguments, **options):
        return self.module(*arguments, **options)
