"""Losses: what input and target must have in common."""

import _tensorvet
from _tensorvet import count, made, operate, require
from torch import _functions as f
from torch import _sums, _types, _values
from torch._rules import accept, as_kind, axis, common_kind, computed, elements, kind_of, known, letter, like, reduction_of, tensor_of
from torch._types import LETTER, floated, real_of
from torch._versions import ARGUMENTS, later

__later__ = later(ARGUMENTS)


def reduction_name(size_average, reduce, reduction):
    """The reduction, which has to be known."""
    name = reduction_said(size_average, reduce, reduction)
    if name not in ("none", "mean", "sum", "batchmean"):
        raise ValueError(str(name) + " is not a valid value for reduction")
    return name


def reduction_said(size_average, reduce, reduction):
    """The reduction, also where it is said in the old way."""
    if size_average is None and reduce is None:
        return reduction
    size_average = True if size_average is None else size_average
    reduce = True if reduce is None else reduce
    return "none" if not reduce else "mean" if size_average else "sum"


def _pairwise(name, letters, bools=True, real=False):
    """A loss between elements that are broadcast together."""

    def function(input: Duck, target: Duck, size_average=None, reduce=None, reduction: Reduction = "mean", weight: Tensor | None = None):
        return _pair_loss(name, letters, input, target, reduction_name(size_average, reduce, reduction), weight, bools, real)

    return _tensorvet.named(name, function)


def _same_shape(input, target):
    """Between (N, 1) and (N) every prediction meets every target, which nobody means."""
    require("predictions and targets have one shape, so that each meets its own", input.shape == target.shape, "suspicious broadcast", input, target)


def _scores(input):
    """The loss takes the logarithm of a softmax by itself."""
    require("the scores are no probabilities: the loss applies softmax itself", not hasattr(input, "_softmaxed"), "suspicious softmax", input)


def _pair_loss(name, letters, input, target, reduction, weight=None, bools=True, real=False, beta=None):
    kind = _types.two_promoted(kind_of(input), kind_of(target))
    joint = _tensorvet.broadcast(real_of(kind) if real else kind, [input, target], name)
    _same_shape(input, target)
    require("`" + name + "` computes with floating-point numbers", kind is None or LETTER[kind] in letters, "type", input, target, raises=NotImplementedError)
    if not bools:
        require("`" + name + "` does not subtract bools", "bool" not in (kind_of(input), kind_of(target)), "type", input, target, raises=NotImplementedError)
    if weight is not None:
        require("`weight` has the shape of the inputs", weight.shape == joint.shape, "shape", input, weight, raises=ValueError)
        joint = like(joint, common_kind(joint, weight))
    else:
        joint = _values.computed(name, kind, [as_kind(input, kind), as_kind(target, kind)], joint)
        if beta is not None:
            joint = _values.smoothed_distance(name, as_kind(input, kind), as_kind(target, kind), beta, beta, joint)
    return reduction_of(joint, reduction)


mse_loss = _pairwise("mse_loss", "hf")
l1_loss = _pairwise("l1_loss", "hfc", False, True)


def smooth_l1_loss(input: Duck, target: Duck, size_average=None, reduce=None, reduction: Reduction = "mean", beta: float = 1.0):
    require("`beta` is not negative", beta >= 0, "value")
    return _pair_loss("smooth_l1_loss", "hf", input, target, reduction_name(size_average, reduce, reduction), beta=beta)


def huber_loss(input: Duck, target: Duck, reduction: Reduction = "mean", delta: float = 1.0, weight: Duck | None = None):
    require("`delta` is positive", delta > 0, "value")
    accept("huber_loss", "hf", input, raises=RuntimeError)
    accept("huber_loss", "bihf", target, raises=RuntimeError)
    joint = _tensorvet.broadcast(common_kind(input, target), [input, target], "huber_loss")
    _same_shape(input, target)
    if weight is None:
        joint = _values.smoothed_distance("huber_loss", input, target, delta, 1.0, joint)
    if reduction == "none" and weight is None:
        return joint
    return reduction_of(joint if weight is None and kind_of(joint) == kind_of(input) else like(joint, kind_of(input)), reduction)


def kl_div(input: Tensor, target: Tensor, size_average=None, reduce=None, reduction: Reduction = "mean", log_target: bool = False):
    accept("kl_div", "hf", input, target, raises=RuntimeError)
    joint = _tensorvet.broadcast(common_kind(input, target), [input, target], "kl_div")
    name = reduction_name(size_average, reduce, reduction)
    joint = _sums.divergence("kl_div", input, target, log_target, joint)
    if name == "batchmean" and input.ndim > 0 and _tensorvet.follows_values():
        return reduction_of(joint, "sum") / input.shape[0]
    return reduction_of(joint, "sum" if name == "batchmean" else name)


def poisson_nll_loss(input: Tensor, target: Tensor, log_input: bool = True, full: bool = False, size_average=None, eps: float = 1e-8, reduce=None, reduction: Reduction = "mean"):
    kind = floated(common_kind(input, target))
    joint = _tensorvet.broadcast(kind, [input, target], "poisson_nll_loss")
    return reduction_of(_sums.of_counts("poisson_nll_loss", input, target, log_input, full, eps, joint), reduction_name(size_average, reduce, reduction))


def soft_margin_loss(input: Tensor, target: Tensor, size_average=None, reduce=None, reduction: Reduction = "mean"):
    reduction = reduction_name(size_average, reduce, reduction)
    accept("soft_margin_loss", "hfc", input, raises=RuntimeError)
    kind = common_kind(input, target)
    joint = _tensorvet.broadcast(kind_of(input), [input, target], "soft_margin_loss")
    require("`target` broadcasts to `input`", joint.shape == input.shape, "shape", input, target)
    return reduction_of(_sums.of_margin("soft_margin_loss", input, target, joint), reduction, kind_of(input))


def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float = 1.0, size_average=None, reduce=None, reduction: Reduction = "mean"):
    reduction = reduction_name(size_average, reduce, reduction)
    accept("hinge_embedding_loss", "hf", input)
    joint = _tensorvet.broadcast(kind_of(input), [input, target], "hinge_embedding_loss")
    return reduction_of(joint, reduction)


def binary_cross_entropy(input: Duck, target: Duck, weight: Duck | None = None, size_average=None, reduce=None, reduction: Reduction = "mean"):
    require("`input` and `target` have one shape", input.shape == target.shape, "shape", input, target, raises=ValueError)
    accept("binary_cross_entropy", "hf", input, raises=RuntimeError)
    require("`target` has the element type of `input`", None in (kind_of(target), kind_of(input)) or kind_of(target) == kind_of(input), "type", input, target)
    if weight is not None:
        joint = _tensorvet.broadcast(kind_of(input), [input, weight], "binary_cross_entropy")
        require("`weight` broadcasts to the target", joint.shape == input.shape, "shape", input, weight)
    return reduction_of(_values.cross_entropy_of_bits("binary_cross_entropy", input, target, weight, like(input)), reduction_name(size_average, reduce, reduction))


def binary_cross_entropy_with_logits(input: Duck, target: Duck, weight: Tensor | None = None, size_average=None, reduce=None, reduction: Reduction = "mean", pos_weight: Tensor | None = None):
    require("`input` and `target` have one shape", input.shape == target.shape, "shape", input, target, raises=ValueError)
    accept("binary_cross_entropy_with_logits", "hf", input)
    require("`1 - target` takes no bools", kind_of(target) != "bool", "type", target, raises=NotImplementedError)
    require("`target` holds floating-point numbers", letter(target) in "hfc", "type", target)
    # The loss is put where `1 - target` was.
    result = like(input, kind_of(target))
    for each in (weight, pos_weight):
        if each is not None:
            result = _tensorvet.broadcast(common_kind(result, each) if each is weight else kind_of(result), [result, each], "binary_cross_entropy_with_logits")
    if pos_weight is not None:
        result = _sums.weighted_bits("binary_cross_entropy_with_logits", input, target, weight, pos_weight, result)
    else:
        result = _values.cross_entropy_of_logits("binary_cross_entropy_with_logits", input, target, weight, result)
    return reduction_of(result, reduction_name(size_average, reduce, reduction))


def multilabel_soft_margin_loss(input: Tensor, target: Operand, weight: Operand | None = None, size_average=None, reduce=None, reduction: Reduction = "mean"):
    accept("multilabel_soft_margin_loss", "hf", input)
    kind = common_kind(input, target)
    target = tensor_of(target, kind)
    require("`1 - target` takes no bools", kind_of(target) != "bool", "type", target, raises=NotImplementedError)
    joint = _tensorvet.broadcast(kind, [input, target], "multilabel_soft_margin_loss")
    if weight is not None:
        kind = common_kind(joint, weight)
        joint = _tensorvet.broadcast(kind, [joint, tensor_of(weight, kind)], "multilabel_soft_margin_loss")
    require("there are classes", input.ndim > 0, "shape", input, raises=IndexError)
    # Classes stand on the last axis of `input`, wherever that lies in what is broadcast.
    joint = made(kind_of(joint), [size for place, size in enumerate(joint.shape) if place != input.ndim - 1])
    return reduction_of(joint, reduction_name(size_average, reduce, reduction))


def margin_ranking_loss(input1: Duck, input2: Duck, target: Tensor, margin: float = 0, size_average=None, reduce=None, reduction: Reduction = "mean"):
    require("the three tensors have equally many axes", input1.ndim == input2.ndim and input1.ndim == target.ndim, "shape", input1, input2, target)
    require("`margin_ranking_loss` does not subtract bools", "bool" not in (kind_of(input1), kind_of(input2)), "type", input1, input2, raises=NotImplementedError)
    joint = _tensorvet.broadcast(common_kind(input1, input2, target), [input1, input2, target], "margin_ranking_loss")
    accept("margin_ranking_loss", "ihf", joint)
    joint = _sums.ranked("margin_ranking_loss", input1, input2, target, margin, like(joint, floated(kind_of(joint))))
    return reduction_of(joint, reduction_name(size_average, reduce, reduction))


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8):
    require("`eps` is not negative", eps >= 0, "value")
    kind = common_kind(x1, x2)
    joint = _tensorvet.broadcast(kind, [x1, x2], "cosine_similarity")
    require("`cosine_similarity` computes with floating-point numbers", kind is None or LETTER[kind] in "hf", "type", x1, x2)
    place = axis(dim, joint.ndim, joint)
    if _tensorvet.follows_values() and kind is not None and 0 not in joint.shape:
        unit = [_values.normalised("cosine_similarity", as_kind(each, kind), 2, [each.ndim - joint.ndim + place], eps, None) if each.shape == joint.shape else None for each in (x1, x2)]
        if unit[0] is not None and unit[1] is not None:
            total = operate("reduce_sum", operate("mul", unit[0], unit[1], _as="cosine_similarity"), axes=[place], keepdims=False, _as="cosine_similarity")
            # As PyTorch computes it, rounding may lead a little beyond 1.
            for meet, bound in (("max", -1.00001), ("min", 1.00001)):
                total = operate(meet, [total, _tensorvet.number(kind, bound)], _as="cosine_similarity")
            return total
    return made(kind, [size for number, size in enumerate(joint.shape) if number != place])


def pairwise_distance(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False):
    kind = common_kind(x1, x2)
    require("`pairwise_distance` does not subtract bools", "bool" not in (kind_of(x1), kind_of(x2)), "type", x1, x2, raises=NotImplementedError)
    joint = _tensorvet.broadcast(real_of(floated(kind)), [x1, x2], "pairwise_distance")
    shape = list(joint.shape)
    if _tensorvet.follows_values() and shape and 0 not in shape and kind_of(joint) == kind_of(x1) == kind_of(x2) and _sums.is_known(eps, p) and p in (1, 2):
        return f.norm(f.add(f.sub(x1, x2), eps), p, -1, keepdim)
    return made(kind_of(joint), (shape[:-1] + [1] if keepdim else shape[:-1]) if shape else [])


def cosine_embedding_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average=None, reduce=None, reduction: Reduction = "mean"):
    require("the targets are a number or a vector", target.ndim <= 1, "shape", target)
    require("inputs are a batch of vectors, or two vectors without a batch of targets", target.ndim + 1 == input1.ndim == input2.ndim, "shape", input1, input2, target)
    kind = _types.two_promoted(floated(kind_of(input1)), floated(kind_of(input2)))
    joint = _tensorvet.broadcast(kind, [input1, input2], "cosine_embedding_loss")
    require("`cosine_embedding_loss` computes with real numbers", kind is None or LETTER[kind] in "hf", "type", input1, input2, raises=NotImplementedError)
    result = _tensorvet.broadcast(kind, [made(kind, list(joint.shape[:-1])), target], "cosine_embedding_loss")
    return reduction_of(result, reduction_name(size_average, reduce, reduction))


def triplet_margin_loss(anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2, eps: float = 1e-6, swap: bool = False, size_average=None, reduce=None, reduction: Reduction = "mean"):
    require("the margin is positive", margin > 0, "value", anchor, raises=ValueError)
    require("the three tensors have equally many axes", anchor.ndim == positive.ndim and anchor.ndim == negative.ndim, "shape", anchor, positive, negative)
    near, far = pairwise_distance(anchor, positive), pairwise_distance(anchor, negative)
    if swap:
        pairwise_distance(positive, negative)
    joint = _tensorvet.broadcast(common_kind(near, far), [near, far], "triplet_margin_loss")
    if _tensorvet.follows_values() and not swap:
        joint = f.clamp_min(f.add(f.sub(near, far), margin), 0.0)
    return reduction_of(joint, reduction_name(size_average, reduce, reduction))


def triplet_margin_with_distance_loss(anchor: Tensor, positive: Tensor, negative: Tensor, *, distance_function=None, margin: float = 1.0, swap: bool = False, reduction: Reduction = "mean"):
    require("the margin is positive", margin > 0, "value", anchor, raises=ValueError)
    require("the three tensors have equally many axes", anchor.ndim == positive.ndim and anchor.ndim == negative.ndim, "shape", anchor, positive, negative)
    distance = pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    return reduction_of(_tensorvet.broadcast(common_kind(near, far), [near, far], "triplet_margin_loss"), reduction)


def gaussian_nll_loss(input: Duck, target: Tensor, var, full: truth = False, eps: float = 1e-6, reduction: Reduction = "mean"):
    if not _tensorvet.is_tensor(var):
        if not isinstance(var, float):
            raise TypeError("gaussian_nll_loss() takes a variance that is a tensor or a float")
        require("a variance is not negative", var >= 0, "value", input)
        var = like(input)
    elif var.shape != input.shape:
        shape = list(input.shape)
        fits = tuple(shape[:-1]) == tuple(var.shape) or (var.ndim == input.ndim and tuple(shape[:-1]) == tuple(var.shape[:-1]) and var.shape[-1] == 1)
        require("`var` has the shape of `input`, or lacks its last axis", fits, "shape", input, var, raises=ValueError)
        var = f.unsqueeze(var, -1) if var.ndim == input.ndim - 1 else var
    accept("gaussian_nll_loss", "hf", var, raises=RuntimeError)
    require("the reduction is 'none', 'mean' or 'sum'", reduction in ("none", "mean", "sum"), "value", raises=ValueError)
    joint = _tensorvet.broadcast(floated(common_kind(input, target, var)), [input, target, var], "gaussian_nll_loss")
    return reduction_of(_sums.of_normal("gaussian_nll_loss", input, target, var, eps, full, joint), reduction)


def _classes(input):
    return input.shape[1] if input.ndim > 1 else input.shape[0]


def _same_batch(input, target):
    """States that there are as many targets as samples, which is asked before anything else of them."""
    if input.ndim > 1 and target.ndim > 0:
        require("there is a target per sample", input.shape[0] == target.shape[0], "shape", input, target, raises=ValueError)


def _class_targets(name, input, target, weight, ignore_index):
    """Class indices: a number per sample and place, each below the number of classes."""
    require("`" + name + "` takes class scores", input.ndim > 0, "shape", input, raises=ValueError)
    if input.ndim == 1:
        require("one sample has one class", target.ndim == 0, "shape", input, target, raises=ValueError)
    else:
        wanted = (input.shape[0], *input.shape[2:])
        _same_batch(input, target)
        require("there is a class index per sample and place", tuple(target.shape) == wanted, "shape", input, target)
    classes = _classes(input)
    if weight is not None:
        require("`weight` has a number per class", weight.ndim == 1 and weight.shape[0] == classes, "shape", input, weight)
        require("`weight` has the element type of `input`", None in (kind_of(weight), kind_of(input)) or kind_of(weight) == kind_of(input), "type", input, weight)
    for value in elements(target, 0, classes - 1, "every target is a class"):
        require("every target is a class", value == ignore_index or (0 <= value and value < classes), "value", input, target, raises=IndexError)


def nll_loss(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average=None, ignore_index: int = -100, reduce=None, reduction: Reduction = "mean"):
    reduction = reduction_name(size_average, reduce, reduction)
    accept("nll_loss", "hf", input)
    require("targets of nll_loss are class indices (int64)", kind_of(target) in (None, "i64", "u8"), "type", input, target)
    _class_targets("nll_loss", input, target, weight, ignore_index)
    require("wide targets are int64", kind_of(target) != "u8" or input.ndim <= 2, "type", target)
    return _class_loss("negative_log_likelihood_loss", "nll_loss", input, target, weight, ignore_index, reduction)


def _class_loss(operator, name, input, target, weight, ignore_index, reduction):
    """The loss by its operator where samples stand in a batch."""
    result = reduction_of(like(target, kind_of(input)), reduction)
    if input.ndim < 2 or kind_of(target) != "i64" or weight is not None and weight.ndim != 1:
        return result
    outputs = computed(operator, result, input, target, weight, ignore_index=ignore_index, reduction=reduction, _outputs=1, _as=name)
    return outputs[0] if isinstance(outputs, tuple) else outputs


def cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average=None, ignore_index: int = -100, reduce=None, reduction: Reduction = "mean", label_smoothing: float = 0.0):
    require("`cross_entropy` takes class scores", input.ndim > 0, "shape", input)
    accept("cross_entropy", "hf", input, raises=RuntimeError)
    _scores(input)
    require("`label_smoothing` lies between 0 and 1", 0.0 <= label_smoothing and label_smoothing <= 1.0, "value", input)
    reduction = reduction_name(size_average, reduce, reduction)
    if input.shape == target.shape:
        require("an index that is left out is no probability", ignore_index < 0 or kind_of(target) not in ("f16", "bf16", "f32", "f64"), "value", input, target)
        accept("cross_entropy", "hfc", target, raises=RuntimeError)
        if weight is not None:
            require("`weight` has a number per class", weight.ndim == 1 and weight.shape[0] == _classes(input), "shape", input, weight)
        kind = common_kind(input, target) if weight is None else common_kind(input, target, weight)
        shape = list(input.shape)
        result = made(kind, shape[:1] + shape[2:] if len(shape) > 1 else [])
        return reduction_of(result if weight is not None else _sums.smoothed_entropy("cross_entropy", input, target, label_smoothing, result), reduction)
    _same_batch(input, target)
    require("targets of cross_entropy are class indices (int64)", kind_of(target) in (None, "i64", "u8"), "type", input, target)
    _class_targets("cross_entropy", input, target, weight, ignore_index)
    if label_smoothing > 0:
        result = like(target, kind_of(input))
        is_plain = weight is None and ignore_index == -100
        return reduction_of(_sums.smoothed_entropy("cross_entropy", input, target, label_smoothing, result) if is_plain else result, reduction)
    return _class_loss("softmax_cross_entropy_loss", "cross_entropy", input, target, weight, ignore_index, reduction)


def multi_margin_loss(input: Tensor, target: Tensor, p: object = 1, margin: Number = 1.0, weight: Tensor | None = None, size_average=None, reduce=None, reduction: Reduction = "mean"):
    reduction = reduction_name(size_average, reduce, reduction)
    require("`p` is 1 or 2", p in (1, 2), "value", input, raises=ValueError)
    accept("multi_margin_loss", "f", input)
    require("targets are class indices (int64)", kind_of(target) in (None, "i64"), "type", input, target)
    require("`input` holds scores, batched or not", input.ndim <= 2, "shape", input)
    samples = input.shape[0] if input.ndim == 2 else 1
    classes = input.shape[-1] if input.ndim > 0 else 1
    require("there are classes", classes > 0, "shape", input)
    require("there is a class per sample", target.ndim <= 1 and count(target.shape) == samples, "shape", input, target)
    if weight is not None:
        require("`weight` has a number per class", weight.ndim <= 1 and count(weight.shape) == classes, "shape", input, weight, raises=ValueError)
        require("`weight` has the element type of `input`", None in (kind_of(weight), kind_of(input)) or kind_of(weight) == kind_of(input), "type", input, weight)
    for value in elements(target, 0, classes - 1, "every target is a class"):
        require("every target is a class", 0 <= value and value < classes, "value", input, target)
    result = made(kind_of(input), list(target.shape))
    return reduction_of(result, reduction_name(size_average, reduce, reduction))


def multilabel_margin_loss(input: Tensor, target: Tensor, size_average=None, reduce=None, reduction: Reduction = "mean"):
    reduction = reduction_name(size_average, reduce, reduction)
    accept("multilabel_margin_loss", "f", input)
    require("targets are class indices (int64)", kind_of(target) in (None, "i64"), "type", input, target)
    require("`input` holds scores, batched or not", input.ndim <= 2, "shape", input)
    require("`target` has the shape of `input`", input.shape == target.shape or (input.ndim < 2 and count(input.shape) == count(target.shape) and target.ndim < 2), "shape", input, target)
    classes = input.shape[-1] if input.ndim > 0 else 1
    require("there are classes", classes > 0, "shape", input)
    for value in elements(target, -1, classes - 1, "every target is a class or -1"):
        require("every target is a class or -1", -1 <= value and value < classes, "value", target)
    return reduction_of(made(kind_of(input), list(input.shape[:-1]) if input.ndim > 1 else []), reduction)


def _lengths(values):
    return known(values) if _tensorvet.is_tensor(values) else list(values)


def ctc_loss(log_probs: Tensor, targets: Tensor, input_lengths, target_lengths, blank: int = 0, reduction: Reduction = "mean", zero_infinity: bool = False):
    require("`log_probs` has time, batch and classes, or no batch", log_probs.ndim in (2, 3), "shape", log_probs)
    accept("ctc_loss", "f", log_probs, raises=RuntimeError)
    batch = log_probs.shape[1] if log_probs.ndim == 3 else 1
    steps, classes = log_probs.shape[0], log_probs.shape[-1]
    require("`blank` is a class", 0 <= blank and blank < classes, "value", log_probs)
    for lengths in (input_lengths, target_lengths):
        given = (lengths,) if _tensorvet.is_tensor(lengths) else ()
        accept("ctc_loss", "i", *given, raises=RuntimeError)
        number = count(lengths.shape) if given else len(lengths)
        require("there is a length per sample, and `log_probs` is (time, batch, classes)", number == batch, "shape", log_probs, *given)
    for length in _lengths(input_lengths) or []:
        require("no input is longer than there are steps", 0 <= length and length <= steps, "value", log_probs)
    wanted = _lengths(target_lengths)
    if wanted is not None and targets.ndim == 1 and log_probs.ndim == 3:
        require("the targets of all samples stand in one row", targets.shape[0] == sum(wanted), "shape", targets)
    if wanted is not None and targets.ndim == 2:
        require("there is a row of targets per sample", targets.shape[0] == batch, "shape", targets)
        for length in wanted:
            require("no target is longer than its row", length <= targets.shape[1], "value", targets)
    require("targets are a row, or a row per sample", targets.ndim in (1, 2), "shape", targets)
    return reduction_of(made(kind_of(log_probs), [batch] if log_probs.ndim == 3 else []), reduction)
