"""CUDA, which is not there."""

from torch import _creation
from torch._devices import *
from torch._tensor import Tensor

FloatTensor = LongTensor = DoubleTensor = IntTensor = BoolTensor = ByteTensor = HalfTensor = Tensor
