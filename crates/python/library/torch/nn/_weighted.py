"""Layers with weights: linear maps, convolutions, normalisation, embeddings."""

from _tensorvet import made, require
from torch._creation import kind_named, sizes_of
from torch._rules import per_axis, since
from torch.nn import functional as F
from torch.nn._convolutions import conv as _conv, conv_transpose as _conv_transpose
from torch.nn._module import Module, Parameter, around_zero, parameter
from torch._versions import ARGUMENTS, later

__later__ = later(ARGUMENTS)

# What weights start with: draws of a normal distribution stay within eight deviations.
_ONES, _ZEROS, _NORMAL = (1.0, 1.0), (0.0, 0.0), (-8.0, 8.0)


class Linear(Module):
    def __init__(self, in_features: size, out_features: size, bias=True, device=None, dtype: dtype | None = None):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = parameter([out_features, in_features], dtype)
        self.bias = parameter([out_features], dtype, around_zero(in_features)) if bias else None

    def forward(self, input: Tensor):
        return F.linear(input, self.weight, self.bias)


class Bilinear(Module):
    def __init__(self, in1_features: size, in2_features: size, out_features: size, bias=True, device=None, dtype: dtype | None = None):
        super().__init__()
        require("the first input has features", in1_features > 0, "value", raises=ValueError)
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        self.weight = parameter([out_features, in1_features, in2_features], dtype)
        self.bias = parameter([out_features], dtype) if bias else None

    def forward(self, input1: Tensor, input2: Tensor):
        return F.bilinear(input1, input2, self.weight, self.bias)


class _Conv(Module):
    transposed = False

    def _build(self, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, dtype, output_padding=0):
        require("there is at least one group", groups > 0, "value", raises=ValueError)
        require("the groups share the input channels evenly", in_channels % groups == 0, "value", raises=ValueError)
        require("the groups share the output channels evenly", out_channels % groups == 0, "value", raises=ValueError)
        if isinstance(padding, str):
            require("`padding` is 'same', 'valid' or numbers", padding in ("same", "valid") and since(1, 9), "value", raises=ValueError)
            steps = stride if isinstance(stride, (tuple, list)) else [stride]
            require("`padding='same'` keeps sizes, so no stride is above 1", padding == "valid" or all([step == 1 for step in steps]), "value", raises=ValueError)
        require("`padding_mode` is one that is known", padding_mode in ("zeros", "reflect", "replicate", "circular"), "value", raises=ValueError)
        # A list is taken as it is: one that is too long makes a weight of too many axes.
        kernel = list(kernel_size) if isinstance(kernel_size, (tuple, list)) else [kernel_size] * self.axes
        self.in_channels, self.out_channels, self.kernel_size = in_channels, out_channels, tuple(kernel)
        self.stride, self.dilation, self.groups = self._of_axes(stride), self._of_axes(dilation), groups
        self.padding, self.output_padding, self.padding_mode = self._of_axes(padding), self._of_axes(output_padding), padding_mode
        front = [in_channels, out_channels // groups] if self.transposed else [out_channels, in_channels // groups]
        self.weight = parameter(front + kernel, dtype)
        into = front[1]
        for size in kernel:
            into = into * size
        self.bias = parameter([out_channels], dtype, around_zero(into)) if bias else None

    def _of_axes(self, given):
        return given if isinstance(given, str) else tuple(given) if isinstance(given, (tuple, list)) else (given,) * self.axes


class _PlainConv(_Conv):
    def __init__(self, in_channels: size, out_channels: size, kernel_size: sizes1, stride: ints1 = 1, padding: ints1 | str = 0, dilation: ints1 = 1, groups: int = 1, bias=True, padding_mode: object = "zeros", device=None, dtype: dtype | None = None):
        super().__init__()
        self._build(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, dtype)

    def forward(self, input: Tensor):
        if self.padding_mode == "zeros":
            return _conv(self.axes, input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)
        pads = []
        kernel = list(self.kernel_size)
        dilation = per_axis(self.dilation, self.axes, "dilation")
        for place in reversed(range(self.axes)):
            if isinstance(self.padding, str):
                total = dilation[place] * (kernel[place] - 1) if self.padding == "same" else 0
                pads.extend([total // 2, total - total // 2])
            else:
                pads.extend([per_axis(self.padding, self.axes, "padding")[place]] * 2)
        padded = F.pad(input, tuple(pads), self.padding_mode)
        return _conv(self.axes, padded, self.weight, self.bias, self.stride, 0, self.dilation, self.groups)


class Conv1d(_PlainConv):
    axes = 1


class Conv2d(_PlainConv):
    axes = 2


class Conv3d(_PlainConv):
    axes = 3


class _TransposedConv(_Conv):
    transposed = True

    def __init__(self, in_channels: size, out_channels: size, kernel_size: sizes1, stride: ints1 = 1, padding: ints1 = 0, output_padding: ints1 = 0, groups: int = 1, bias=True, dilation: ints1 = 1, padding_mode: object = "zeros", device=None, dtype: dtype | None = None):
        super().__init__()
        require("`padding_mode` of a transposed convolution is 'zeros'", padding_mode == "zeros", "value", raises=ValueError)
        self._build(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, dtype, output_padding)

    def forward(self, input: Tensor, output_size: ints | None = None):
        extra = self.output_padding
        if output_size is not None:
            extra = self._extra(input, list(output_size))
        return _conv_transpose(self.axes, input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation)

    def _extra(self, input, wanted):
        """What must be added to come to the sizes asked for."""
        if len(wanted) == input.ndim:
            wanted = wanted[-self.axes :]
        require("`output_size` gives the spatial sizes", len(wanted) == self.axes, "value", input, raises=ValueError)
        steps, pads, dilation = [per_axis(each, self.axes) for each in (self.stride, self.padding, self.dilation)]
        extra = []
        for place in range(self.axes):
            least = (input.shape[place - self.axes] - 1) * steps[place] - 2 * pads[place] + dilation[place] * (self.kernel_size[place] - 1) + 1
            require("`output_size` is one the stride can make", least <= wanted[place] and wanted[place] < least + steps[place], "value", input, raises=ValueError)
            extra.append(wanted[place] - least)
        return extra


class ConvTranspose1d(_TransposedConv):
    axes = 1


class ConvTranspose2d(_TransposedConv):
    axes = 2


class ConvTranspose3d(_TransposedConv):
    axes = 3


class _Statistics(Module):
    """Normalisation with running statistics."""

    def _build(self, num_features, eps, momentum, affine, track_running_stats, dtype, bias=True):
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        self.weight = parameter([num_features], dtype, _ONES) if affine else None
        self.bias = parameter([num_features], dtype, _ZEROS) if affine and bias else None
        self.register_buffer("running_mean", made(kind_named(dtype), sizes_of((num_features,))) if track_running_stats else None)
        self.register_buffer("running_var", made(kind_named(dtype), sizes_of((num_features,))) if track_running_stats else None)
        self.register_buffer("num_batches_tracked", made("i64", []) if track_running_stats else None)


class _BatchNorm(_Statistics):
    def __init__(self, num_features: ints1, eps: float = 1e-5, momentum: float | None = 0.1, affine=True, track_running_stats=True, device=None, dtype: dtype | None = None, *, bias=True):
        super().__init__()
        self._build(num_features, eps, momentum, affine, track_running_stats, dtype, bias)

    def forward(self, input: Duck):
        require(self.label, input.ndim in self.ranks, "shape", input, raises=ValueError)
        training = self.training or not self.track_running_stats
        return F.batch_norm(input, self.running_mean, self.running_var, self.weight, self.bias, training, 0.0 if self.momentum is None else self.momentum, self.eps)


class BatchNorm1d(_BatchNorm):
    ranks, label = (2, 3), "`BatchNorm1d` takes an input of two or three axes"


class BatchNorm2d(_BatchNorm):
    ranks, label = (4,), "`BatchNorm2d` takes an input of four axes"


class BatchNorm3d(_BatchNorm):
    ranks, label = (5,), "`BatchNorm3d` takes an input of five axes"


class SyncBatchNorm(_BatchNorm):
    ranks, label = range(2, 64), "`SyncBatchNorm` takes a batch with channels"

    def __init__(self, num_features: ints1, eps: float = 1e-5, momentum: float | None = 0.1, affine=True, track_running_stats=True, process_group=None, device=None, dtype: dtype | None = None, *, bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)


class _InstanceNorm(_Statistics):
    def __init__(self, num_features, eps: float = 1e-5, momentum: float | None = 0.1, affine=False, track_running_stats=False, device=None, dtype=None, *, bias: object = True):
        super().__init__()
        self._build(num_features, eps, momentum, affine, track_running_stats, dtype, bias)

    def forward(self, input: Duck):
        require("`InstanceNorm` takes channels and its axes, batched or not", input.ndim in (self.axes + 1, self.axes + 2), "shape", input, raises=ValueError)
        channels = input.shape[-self.axes - 1]
        require("the channels are `num_features`", not self.affine or channels == self.num_features, "shape", input, raises=ValueError)
        batched = input.unsqueeze(0) if input.ndim == self.axes + 1 else input
        stats = self.training or not self.track_running_stats
        result = F.instance_norm(batched, self.running_mean, self.running_var, self.weight, self.bias, stats, 0.0 if self.momentum is None else self.momentum, self.eps)
        return result.squeeze(0) if input.ndim == self.axes + 1 else result


class InstanceNorm1d(_InstanceNorm):
    axes = 1


class InstanceNorm2d(_InstanceNorm):
    axes = 2


class InstanceNorm3d(_InstanceNorm):
    axes = 3


class LayerNorm(Module):
    def __init__(self, normalized_shape: ints1, eps: float = 1e-5, elementwise_affine=True, bias=True, device=None, dtype: dtype | None = None):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self.weight = parameter(list(self.normalized_shape), dtype, _ONES) if elementwise_affine else None
        self.bias = parameter(list(self.normalized_shape), dtype, _ZEROS) if elementwise_affine and bias else None

    def forward(self, input: Tensor):
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class RMSNorm(Module):
    def __init__(self, normalized_shape: ints1, eps: float | None = None, elementwise_affine=True, device=None, dtype: dtype | None = None):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self.weight = parameter(list(self.normalized_shape), dtype, _ONES) if elementwise_affine else None

    def forward(self, x: Tensor):
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)


class GroupNorm(Module):
    def __init__(self, num_groups: int, num_channels: size, eps: float = 1e-5, affine=True, device=None, dtype: dtype | None = None, *, bias=True):
        super().__init__()
        require("there is at least one group", num_groups != 0, "value", raises=ZeroDivisionError)
        require("the groups share the channels evenly", num_channels % num_groups == 0, "value", raises=ValueError)
        self.num_groups, self.num_channels, self.eps = num_groups, num_channels, eps
        self.weight = parameter([num_channels], dtype, _ONES) if affine else None
        self.bias = parameter([num_channels], dtype, _ZEROS) if affine and bias else None

    def forward(self, input: Duck):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)


class PReLU(Module):
    def __init__(self, num_parameters: size = 1, init: float = 0.25, device=None, dtype: dtype | None = None):
        super().__init__()
        self.num_parameters = num_parameters
        self.weight = parameter([num_parameters], dtype, (init, init))

    def forward(self, input: Tensor):
        return F.prelu(input, self.weight)


class Embedding(Module):
    def __init__(self, num_embeddings: size, embedding_dim: size, padding_idx: int | None = None, max_norm: float | None = None, norm_type: float = 2.0, scale_grad_by_freq=False, sparse=False, _weight: Tensor | None = None, _freeze=False, device=None, dtype: dtype | None = None):
        super().__init__()
        if padding_idx is not None:
            require("`padding_idx` is one of the rows", -num_embeddings <= padding_idx and padding_idx < num_embeddings, "value", raises=AssertionError)
        self.num_embeddings, self.embedding_dim, self.padding_idx, self.max_norm, self.norm_type = num_embeddings, embedding_dim, padding_idx, max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        if _weight is not None:
            require("the weight has the sizes given", tuple(_weight.shape) == (num_embeddings, embedding_dim), "shape", _weight, raises=AssertionError)
        self.weight = parameter([num_embeddings, embedding_dim], dtype, _NORMAL) if _weight is None else Parameter(_weight, not _freeze)
        if _freeze:
            self.weight.requires_grad_(False)

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
        require("pretrained embeddings are a matrix", embeddings.ndim == 2, "shape", embeddings, raises=AssertionError)
        return cls(embeddings.shape[0], embeddings.shape[1], padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse, embeddings, freeze)

    def forward(self, input: Tensor):
        return F.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse)


class EmbeddingBag(Module):
    def __init__(self, num_embeddings: size, embedding_dim: size, max_norm: float | None = None, norm_type: float = 2.0, scale_grad_by_freq=False, mode: object = "mean", sparse=False, _weight: Tensor | None = None, include_last_offset=False, padding_idx: int | None = None, device=None, dtype: dtype | None = None):
        super().__init__()
        if padding_idx is not None:
            require("`padding_idx` is one of the rows", -num_embeddings <= padding_idx and padding_idx < num_embeddings, "value", raises=AssertionError)
        self.num_embeddings, self.embedding_dim, self.mode = num_embeddings, embedding_dim, mode
        self.include_last_offset, self.padding_idx = include_last_offset, padding_idx
        self.weight = parameter([num_embeddings, embedding_dim], dtype, _NORMAL) if _weight is None else Parameter(_weight)

    def forward(self, input: Duck, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None):
        return F.embedding_bag(input, self.weight, offsets, mode=self.mode, per_sample_weights=per_sample_weights, include_last_offset=self.include_last_offset, padding_idx=self.padding_idx)
