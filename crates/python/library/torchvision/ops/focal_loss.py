"""A loss that looks at what is hard."""

import torch.nn.functional as F
from torch._rules import reduction_of


def sigmoid_focal_loss(inputs: Tensor, targets: Tensor, alpha: float = 0.25, gamma: float = 2, reduction: str = "none"):
    if not (0 <= alpha <= 1) and alpha != -1:
        raise ValueError("alpha lies between 0 and 1, or is -1, and this is " + str(alpha))
    if reduction not in ("none", "mean", "sum"):
        raise ValueError("reduction is none, mean or sum, and this is " + repr(reduction))
    return reduction_of(F.binary_cross_entropy_with_logits(inputs, targets, reduction="none") * inputs.sigmoid(), reduction)
