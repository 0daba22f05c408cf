"""Layers that are made one: a convolution or a linear map and the normalisation after it."""

from copy import deepcopy

from torch.nn._module import parameter


def fuse_conv_bn_eval(conv, bn, transpose=False):
    if conv.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    fused = deepcopy(conv)
    if fused.bias is None:
        fused.bias = parameter([bn.num_features], conv.weight.dtype)
    return fused


fuse_linear_bn_eval = fuse_conv_bn_eval
