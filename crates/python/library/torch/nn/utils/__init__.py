"""Helpers of modules."""

from _tensorvet import made, require
from torch.nn.utils import rnn
from torch.nn.utils.parametrizations import spectral_norm, weight_norm


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    return made("f32", [])


def clip_grad_value_(parameters, clip_value, foreach=None):
    return None


def parameters_to_vector(parameters):
    total = 0
    for parameter in parameters:
        total = total + parameter.numel()
    return made("f32", [total])


def vector_to_parameters(vec, parameters):
    start = 0
    for parameter in parameters:
        number = parameter.numel()
        require("the vector has a number for every weight", start + number <= vec.shape[0], "shape", vec, parameter)
        parameter.data = vec[start : start + number].view_as(parameter)
        start = start + number


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    return made("f32", [])


def remove_weight_norm(module, name="weight"):
    return module
