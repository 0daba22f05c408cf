"""Weights of which some are left out: a mask stands beside the weight, which keeps its shape."""

from _tensorvet import require
from torch import _creation
from torch.nn._module import Parameter


def _pruned(module, name, amount=None):
    weight = getattr(module, name)
    if amount is not None:
        require("`amount` is a part between 0 and 1, or a number of weights", amount >= 0 and (isinstance(amount, int) or amount <= 1), "value", weight)
        require("no more is pruned than there is", not isinstance(amount, int) or amount <= weight.numel(), "value", weight)
    if name + "_orig" not in module._parameters:
        del module._parameters[name]
        module.register_parameter(name + "_orig", weight)
        module.register_buffer(name + "_mask", _creation.ones_like(weight))
    object.__setattr__(module, name, getattr(module, name + "_orig") * getattr(module, name + "_mask"))
    return module


def identity(module, name):
    return _pruned(module, name)


def random_unstructured(module, name, amount):
    return _pruned(module, name, amount)


def l1_unstructured(module, name, amount, importance_scores=None):
    return _pruned(module, name, amount)


def random_structured(module, name, amount, dim):
    return _structured(module, name, amount, dim)


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    return _structured(module, name, amount, dim)


def _structured(module, name, amount, dim):
    weight = getattr(module, name)
    require("a structured pruning has an axis to prune along", weight.ndim > 1 and -weight.ndim <= dim and dim < weight.ndim, "value", weight)
    return _pruned(module, name, amount)


def custom_from_mask(module, name, mask):
    weight = getattr(module, name)
    require("the mask has the shape of the weight", mask.shape == weight.shape, "shape", mask, weight)
    return _pruned(module, name)


class BasePruningMethod:
    PRUNING_TYPE = "unstructured"

    @classmethod
    def apply(cls, module, name, *arguments, importance_scores=None, **options):
        weight = getattr(module, name)
        mask = cls(*arguments, **options).compute_mask(weight, _creation.ones_like(weight))
        return custom_from_mask(module, name, mask)


class L1Unstructured(BasePruningMethod):
    def __init__(self, amount):
        self.amount = amount

    def compute_mask(self, t, default_mask):
        return default_mask


class RandomUnstructured(L1Unstructured):
    pass


def global_unstructured(parameters, pruning_method, importance_scores=None, **options):
    for module, name in parameters:
        _pruned(module, name, options.get("amount"))


def remove(module, name):
    if name + "_orig" not in module._parameters:
        raise ValueError("Parameter '" + name + "' of module has to be pruned before pruning can be removed")
    weight = module._parameters.pop(name + "_orig")
    module._buffers.pop(name + "_mask", None)
    delattr(module, name)
    module.register_parameter(name, Parameter(weight))
    return module


def is_pruned(module):
    return len([name for part in module.modules() for name in part._parameters if name.endswith("_orig")]) > 0
