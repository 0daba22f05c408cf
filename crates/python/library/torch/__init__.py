"""PyTorch by its shapes: tensors, and the functions of the top module."""

import _tensorvet

from torch._types import *
from torch._types import dtype
from torch._functions import *
from torch._types import bool, double, float, half, int, long, short
from torch._tensor import Size, Tensor
from torch._contexts import *
from torch._sparse import sparse_coo_tensor, sparse_csc_tensor, sparse_csr_tensor
from torch._storage import load, save
from torch import _creation
from torch import _types
from torch import fft
from torch import linalg
from torch import nn
from torch import signal
from torch import special

from torch.nn.functional import alpha_dropout, avg_pool1d, batch_norm, bilinear, celu, channel_shuffle, conv1d, conv2d, conv3d, conv_transpose1d, conv_transpose2d, conv_transpose3d
from torch.nn.functional import cosine_embedding_loss, cosine_similarity, dropout, embedding_bag, hardshrink, hinge_embedding_loss, instance_norm, kl_div, layer_norm, margin_ranking_loss
from torch.nn._normalisation import rms_norm
from torch.nn._padding import constant_pad_nd
from torch.nn.functional import max_pool1d, max_pool2d, max_pool3d, pairwise_distance, pixel_shuffle, pixel_unshuffle, prelu, rrelu, selu, triplet_margin_loss

inf = 1e400
nan = 1e400 - 1e400
pi = 3.141592653589793
e = 2.718281828459045
newaxis = None
from torch._rules import VERSION as __version__



class _TensorTypes(type):
    def __instancecheck__(cls, value):
        return _tensorvet.is_tensor(value) and _tensorvet.kind(value) == cls._kind


def _typed_tensor(kind):
    class TypedTensor(metaclass=_TensorTypes):
        """A tensor of one type, made of sizes or of numbers."""

        _kind = kind

        def __new__(cls, *data, **options):
            return _creation.of_sizes_or_numbers(kind, data)

    return TypedTensor


FloatTensor, DoubleTensor, HalfTensor, BFloat16Tensor = [_typed_tensor(kind) for kind in ("f32", "f64", "f16", "bf16")]
LongTensor, IntTensor, ShortTensor, CharTensor, ByteTensor, BoolTensor = [_typed_tensor(kind) for kind in ("i64", "i32", "i16", "i8", "u8", "bool")]


def numel(input: Tensor):
    return input.numel()


def is_tensor(obj: object, /):
    return _tensorvet.is_tensor(obj)


def is_floating_point(input: Tensor):
    return input.dtype.is_floating_point


def is_complex(input: Tensor):
    return input.dtype.is_complex


def is_nonzero(input: Tensor):
    return input.__bool__()


def can_cast(from_: dtype, to: dtype):
    return _tensorvet.can_cast(from_._kind, to._kind)


def promote_types(type1: dtype, type2: dtype):
    return _types.by_kind(_types.two_promoted(type1._kind, type2._kind))


def result_type(tensor1: Operand, tensor2: Operand):
    from torch._rules import common_kind

    if _tensorvet.is_tensor(tensor1) or _tensorvet.is_tensor(tensor2):
        return _types.by_kind(common_kind(tensor1, tensor2))
    return _types.by_kind(_types.promoted(_types.of_number(tensor1), _types.of_number(tensor2)))


def set_default_dtype(d):
    kind = d._kind if isinstance(d, _types.dtype) else _tensorvet.kind(d(0))
    if _types.kind_class(kind) != 2:
        raise TypeError("only floating-point types are supported as the default type")
    _types.DEFAULT["float"], _types.DEFAULT["complex"] = kind, _types.complex_of(kind)


def get_default_dtype():
    return _types.by_kind(_types.DEFAULT["float"])


def set_default_tensor_type(t):
    set_default_dtype(_types.of_tensor_type(t))


def grid_sampler_2d(input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool):
    return nn.functional.sampled("grid_sampler_2d", input, grid, (4,))


def grid_sampler_3d(input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool):
    return nn.functional.sampled("grid_sampler_3d", input, grid, (5,))
