"""Helpers of modules."""

import _tensorvet
from torch._rules import made
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


def remove_weight_norm(module, name="weight"):
    return module
