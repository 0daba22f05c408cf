"""Weights that modules compute from others: the weight keeps its shape, the one it is computed from has its own."""

from _tensorvet import require
from torch.nn._containers import ModuleDict, ModuleList
from torch.nn._module import Module
from torch.nn.utils.parametrizations import computed


class ParametrizationList(ModuleList):
    pass


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    weight = getattr(module, tensor_name)
    if not isinstance(parametrization, Module):
        raise TypeError("a parametrization is a module")
    result = parametrization(weight)
    require("a parametrization keeps the shape of the weight", unsafe or result.shape == weight.shape, "shape", result, weight)
    if not hasattr(module, "parametrizations"):
        module.parametrizations = ModuleDict()
    if tensor_name not in module.parametrizations:
        module.parametrizations[tensor_name] = ParametrizationList()
        module.parametrizations[tensor_name].original = weight
    module.parametrizations[tensor_name].append(parametrization)
    return computed(module)


def is_parametrized(module, tensor_name=None):
    held = getattr(module, "parametrizations", None)
    return held is not None and len(held) > 0 if tensor_name is None or held is None else tensor_name in held


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    held = getattr(module, "parametrizations", None)
    if held is not None and tensor_name in held:
        del held[tensor_name]
    return module
