"""Functions of layers, by families."""

import _tensorvet
from torch.nn._activations import *
from torch.nn._attention import multi_head_attention_forward, scaled_dot_product_attention
from torch.nn._convolutions import *
from torch.nn._embedding import *
from torch.nn._losses import *
from torch.nn._normalisation import *
from torch.nn._padding import *
from torch.nn._pooling import *
from torch._products import pdist
from torch._versions import FUNCTIONS, later

_LATER = later(FUNCTIONS)


def __getattr__(name):
    if name in _LATER or not name.startswith("_") and not _tensorvet.has_name("torch.nn.functional", name):
        raise AttributeError("module 'torch.nn.functional' has no attribute '" + name + "'")
    return _tensorvet.unknown("`torch.nn.functional." + name + "` is not modelled")
