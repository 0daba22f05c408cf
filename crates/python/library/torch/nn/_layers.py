"""Layers without weights, each a line of a table: the constructor's parameters and the function they go to."""

import builtins

import _tensorvet
from _tensorvet import require
from torch import _functions as f
from torch.nn import functional as F
from torch.nn._module import Module, REQUIRED, given, layer


def _simple(name, function, **parameters):
    """Every parameter goes to the function."""
    return layer(name, given(function, *parameters), **parameters)


def _activation(name, function, **parameters):
    """Every parameter goes to the function."""
    return layer(name, given(function, *parameters), **parameters)


ReLU, ReLU6, SiLU, Mish, SELU = [_activation(name, getattr(F, name.lower()), inplace=False) for name in ("ReLU", "ReLU6", "SiLU", "Mish", "SELU")]
Hardsigmoid, Hardswish = _activation("Hardsigmoid", F.hardsigmoid, inplace=False), _activation("Hardswish", F.hardswish, inplace=False)
Sigmoid, Tanh = _simple("Sigmoid", f.sigmoid), _simple("Tanh", f.tanh)
LogSigmoid, Softsign, Tanhshrink = _simple("LogSigmoid", F.logsigmoid), _simple("Softsign", F.softsign), _simple("Tanhshrink", F.tanhshrink)
ELU, CELU = _activation("ELU", F.elu, alpha=1.0, inplace=False), _activation("CELU", F.celu, alpha=1.0, inplace=False)
LeakyReLU = _activation("LeakyReLU", F.leaky_relu, negative_slope=0.01, inplace=False)
GELU = _simple("GELU", F.gelu, approximate="none")
Hardshrink, Softshrink = _simple("Hardshrink", F.hardshrink, lambd=0.5), _simple("Softshrink", F.softshrink, lambd=0.5)
Softplus = _simple("Softplus", F.softplus, beta=1.0, threshold=20.0)
Threshold = _activation("Threshold", F.threshold, threshold=REQUIRED, value=REQUIRED, inplace=False)
GLU = _simple("GLU", F.glu, dim=-1)
Softmax, LogSoftmax, Softmin = [_simple(name, function, dim=None) for name, function in (("Softmax", F.softmax), ("LogSoftmax", F.log_softmax), ("Softmin", F.softmin))]


def _bounds(self):
    if self.min_value is not None:
        self.min_val = self.min_value
    if self.max_value is not None:
        self.max_val = self.max_value
    require("the lower bound is below the upper one", self.max_val > self.min_val, "value", raises=AssertionError)


Hardtanh = layer("Hardtanh", given(F.hardtanh, "min_val", "max_val"), 1, _bounds, min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None)


def _rrelu(self, input):
    return F.rrelu(input, self.lower, self.upper, self.training)


RReLU = layer("RReLU", _rrelu, lower=1.0 / 8, upper=1.0 / 3, inplace=False)


class Softmax2d(Module):
    def __init__(self: Module):
        super().__init__()

    def forward(self, input: Duck):
        require("`Softmax2d` takes channels, height and width, batched or not", input.ndim in (3, 4), "shape", input, raises=ValueError)
        return F.softmax(input, -3)


def _probability(self):
    require("a probability lies between 0 and 1", 0.0 <= self.p and self.p <= 1.0, "value", raises=ValueError)


def _dropout(function):
    def forward(self, input: object):
        return function(input, self.p, self.training, self.inplace)

    return forward


Dropout, Dropout1d, Dropout2d, Dropout3d, AlphaDropout, FeatureAlphaDropout = [
    layer(name, _dropout(function), 1, _probability, p=0.5, inplace=False)
    for name, function in (("Dropout", F.dropout), ("Dropout1d", F.dropout1d), ("Dropout2d", F.dropout2d), ("Dropout3d", F.dropout3d), ("AlphaDropout", F.alpha_dropout), ("FeatureAlphaDropout", F.feature_alpha_dropout))
]


def _max_pool(self):
    if self.stride is None:
        self.stride = self.kernel_size


MaxPool1d, MaxPool2d, MaxPool3d = [
    layer(name, given(function, "kernel_size", "stride", "padding", "dilation", "ceil_mode", "return_indices"), 1, _max_pool, kernel_size=REQUIRED, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False)
    for name, function in (("MaxPool1d", F.max_pool1d), ("MaxPool2d", F.max_pool2d), ("MaxPool3d", F.max_pool3d))
]
AvgPool1d = layer("AvgPool1d", given(F.avg_pool1d, "kernel_size", "stride", "padding", "ceil_mode", "count_include_pad"), 1, _max_pool, kernel_size=REQUIRED, stride=None, padding=0, ceil_mode=False, count_include_pad=True)
AvgPool2d, AvgPool3d = [
    layer(name, given(function, "kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"), 1, _max_pool, kernel_size=REQUIRED, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None)
    for name, function in (("AvgPool2d", F.avg_pool2d), ("AvgPool3d", F.avg_pool3d))
]


def _power(self):
    self.norm_type = float(self.norm_type)


LPPool1d, LPPool2d, LPPool3d = [
    layer(name, given(function, "norm_type", "kernel_size", "stride", "ceil_mode"), 1, _power, norm_type=REQUIRED, kernel_size=REQUIRED, stride=None, ceil_mode=False)
    for name, function in (("LPPool1d", F.lp_pool1d), ("LPPool2d", F.lp_pool2d), ("LPPool3d", F.lp_pool3d))
]
AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveAvgPool3d = [_simple("AdaptiveAvgPool" + str(axes) + "d", function, output_size=REQUIRED) for axes, function in ((1, F.adaptive_avg_pool1d), (2, F.adaptive_avg_pool2d), (3, F.adaptive_avg_pool3d))]
AdaptiveMaxPool1d, AdaptiveMaxPool2d, AdaptiveMaxPool3d = [_simple("AdaptiveMaxPool" + str(axes) + "d", function, output_size=REQUIRED, return_indices=False) for axes, function in ((1, F.adaptive_max_pool1d), (2, F.adaptive_max_pool2d), (3, F.adaptive_max_pool3d))]


def _fractional(axes):
    def checked(self):
        require("`output_size` or `output_ratio` is given", (self.output_size is None) != (self.output_ratio is None), "value", raises=ValueError)
        if self.output_ratio is not None:
            ratios = self.output_ratio if isinstance(self.output_ratio, (tuple, list)) else [self.output_ratio] * axes
            require("there is a ratio per axis", len(ratios) == axes, "value", raises=ValueError)
            require("a ratio lies between 0 and 1", builtins.all([0 < ratio and ratio < 1 for ratio in ratios]), "value", raises=ValueError)

    function = F.fractional_max_pool2d if axes == 2 else F.fractional_max_pool3d
    return layer("FractionalMaxPool" + str(axes) + "d", given(function, "kernel_size", "output_size", "output_ratio", "return_indices", "_random_samples"), 1, checked, kernel_size=REQUIRED, output_size=None, output_ratio=None, return_indices=False, _random_samples=None)


FractionalMaxPool2d, FractionalMaxPool3d = _fractional(2), _fractional(3)


def _max_unpool(axes, function):
    class MaxUnpool(Module):
        def __init__(self, kernel_size: ints1, stride: ints1 | None = None, padding: ints1 = 0):
            super().__init__()
            self.kernel_size, self.stride, self.padding = kernel_size, stride, padding

        def forward(self, input: Tensor, indices: Tensor, output_size=None):
            return function(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    return MaxUnpool


MaxUnpool1d, MaxUnpool2d, MaxUnpool3d = _max_unpool(1, F.max_unpool1d), _max_unpool(2, F.max_unpool2d), _max_unpool(3, F.max_unpool3d)


def _padding(name, axes, mode, **more):
    """Layers that pad the last axes, by one number or one for each side."""

    def checked(self):
        if not isinstance(self.padding, (int, tuple, list)):
            raise TypeError(name + "(): padding must be ints")

    def forward(self, input):
        pads = self.padding if isinstance(self.padding, (tuple, list)) else (self.padding,) * (2 * axes)
        if mode == "circular":
            require("`" + name + "` takes channels and " + str(axes) + " axes, batched or not", input.ndim in (axes + 1, axes + 2), "shape", input, raises=ValueError)
        return F.pad(input, tuple(pads), mode, None if mode != "constant" else getattr(self, "value", 0))

    return layer(name, forward, 1, checked, padding=REQUIRED, **more)


for _axes in (1, 2, 3):
    for _word, _mode in (("Reflection", "reflect"), ("Replication", "replicate"), ("Circular", "circular"), ("Zero", "constant"), ("Constant", "constant")):
        _name = _word + "Pad" + str(_axes) + "d"
        _tensorvet.define(_name, _padding(_name, _axes, _mode, value=REQUIRED) if _word == "Constant" else _padding(_name, _axes, _mode))

_OLD = {"size_average": None, "reduce": None, "reduction": "mean"}


def _loss(name, function, *words, inputs=2, checked=None, **parameters):
    return layer(name, given(function, *words), inputs, checked, **parameters)


def _weighed(self):
    """Weights of classes are tensors."""
    for word in ("weight", "pos_weight"):
        if not hasattr(self, word):
            continue
        value = getattr(self, word)
        if value is not None and not _tensorvet.is_tensor(value) and not _tensorvet.is_unknown(value):
            raise TypeError("cannot assign '" + type(value).__name__ + "' object to buffer '" + word + "'")
        self.register_buffer(word, value)


def _reduced(self):
    _weighed(self)
    self.reduction = F.reduction_said(self.size_average, self.reduce, self.reduction)


def _pair(name, function):
    return _loss(name, function, "reduction", checked=_reduced, **_OLD)


MSELoss, L1Loss, SoftMarginLoss, MultiLabelMarginLoss = _pair("MSELoss", F.mse_loss), _pair("L1Loss", F.l1_loss), _pair("SoftMarginLoss", F.soft_margin_loss), _pair("MultiLabelMarginLoss", F.multilabel_margin_loss)
SmoothL1Loss = _loss("SmoothL1Loss", F.smooth_l1_loss, "reduction", "beta", checked=_reduced, **_OLD, beta=1.0)
HuberLoss = _loss("HuberLoss", F.huber_loss, "reduction", "delta", reduction="mean", delta=1.0)
KLDivLoss = _loss("KLDivLoss", F.kl_div, "reduction", "log_target", checked=_reduced, **_OLD, log_target=False)
PoissonNLLLoss = _loss("PoissonNLLLoss", F.poisson_nll_loss, "log_input", "full", "eps", "reduction", checked=_reduced, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean")
HingeEmbeddingLoss = _loss("HingeEmbeddingLoss", F.hinge_embedding_loss, "margin", "reduction", checked=_reduced, margin=1.0, **_OLD)
BCELoss = _loss("BCELoss", F.binary_cross_entropy, "weight", "reduction", checked=_reduced, weight=None, **_OLD)
BCEWithLogitsLoss = _loss("BCEWithLogitsLoss", F.binary_cross_entropy_with_logits, "weight", "reduction", "pos_weight", checked=_reduced, weight=None, **_OLD, pos_weight=None)
NLLLoss = _loss("NLLLoss", F.nll_loss, "weight", "ignore_index", "reduction", checked=_reduced, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean")
CrossEntropyLoss = _loss("CrossEntropyLoss", F.cross_entropy, "weight", "ignore_index", "reduction", "label_smoothing", checked=_reduced, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0)
MultiMarginLoss = _loss("MultiMarginLoss", F.multi_margin_loss, "p", "margin", "weight", "reduction", checked=_reduced, p=1, margin=1.0, weight=None, **_OLD)
MultiLabelSoftMarginLoss = _loss("MultiLabelSoftMarginLoss", F.multilabel_soft_margin_loss, "weight", "reduction", checked=_reduced, weight=None, **_OLD)
MarginRankingLoss = _loss("MarginRankingLoss", F.margin_ranking_loss, "margin", "reduction", inputs=3, checked=_reduced, margin=0.0, **_OLD)
CosineEmbeddingLoss = _loss("CosineEmbeddingLoss", F.cosine_embedding_loss, "margin", "reduction", inputs=3, checked=_reduced, margin=0.0, **_OLD)
TripletMarginLoss = _loss("TripletMarginLoss", F.triplet_margin_loss, "margin", "p", "eps", "swap", "reduction", inputs=3, checked=_reduced, margin=1.0, p=2.0, eps=1e-6, swap=False, **_OLD)


class GaussianNLLLoss(Module):
    def __init__(self, *, full: truth = False, eps: float = 1e-6, reduction: str = "mean"):
        super().__init__()
        self.full, self.eps, self.reduction = full, eps, reduction

    def forward(self, input: Duck, target: Tensor, var):
        return F.gaussian_nll_loss(input, target, var, self.full, self.eps, self.reduction)



CTCLoss = _loss("CTCLoss", F.ctc_loss, "blank", "reduction", "zero_infinity", inputs=4, blank=0, reduction="mean", zero_infinity=False)
CosineSimilarity = _loss("CosineSimilarity", F.cosine_similarity, "dim", "eps", dim=1, eps=1e-8)
PairwiseDistance = _loss("PairwiseDistance", F.pairwise_distance, "p", "eps", "keepdim", p=2.0, eps=1e-6, keepdim=False)

LocalResponseNorm = _simple("LocalResponseNorm", F.local_response_norm, size=REQUIRED, alpha=1e-4, beta=0.75, k=1.0)
PixelShuffle, PixelUnshuffle = _simple("PixelShuffle", F.pixel_shuffle, upscale_factor=REQUIRED), _simple("PixelUnshuffle", F.pixel_unshuffle, downscale_factor=REQUIRED)
ChannelShuffle = _simple("ChannelShuffle", F.channel_shuffle, groups=REQUIRED)
Flatten = layer("Flatten", given(f.flatten, "start_dim", "end_dim"), start_dim=1, end_dim=-1)
Unfold = _simple("Unfold", F.unfold, kernel_size=REQUIRED, dilation=1, padding=0, stride=1)
Fold = _simple("Fold", F.fold, output_size=REQUIRED, kernel_size=REQUIRED, dilation=1, padding=0, stride=1)


def _sizes(self):
    sizes = self.unflattened_size
    if not isinstance(self.dim, int) or not isinstance(sizes, (tuple, list)):
        raise TypeError("Unflatten() takes an axis and sizes")
    for size in sizes:
        if not isinstance(size, int):
            raise TypeError("Unflatten() takes sizes that are ints")


Unflatten = layer("Unflatten", lambda self, input: f.unflatten(input, self.dim, tuple(self.unflattened_size)), 1, _sizes, dim=REQUIRED, unflattened_size=REQUIRED)


def _scaled(self):
    if self.scale_factor is not None:
        scale = self.scale_factor
        self.scale_factor = tuple([float(each) for each in scale]) if isinstance(scale, tuple) else float(scale)


Upsample = layer("Upsample", given(F.interpolate, "size", "scale_factor", "mode", "align_corners", "recompute_scale_factor"), 1, _scaled, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None)
UpsamplingNearest2d = layer("UpsamplingNearest2d", given(F.upsample_nearest, "size", "scale_factor"), 1, _scaled, size=None, scale_factor=None)
UpsamplingBilinear2d = layer("UpsamplingBilinear2d", given(F.upsample_bilinear, "size", "scale_factor"), 1, _scaled, size=None, scale_factor=None)
