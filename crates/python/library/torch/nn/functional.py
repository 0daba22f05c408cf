"""Functions of layers, by families."""

from torch.nn._activations import *
from torch.nn._attention import multi_head_attention_forward, scaled_dot_product_attention
from torch.nn._convolutions import *
from torch.nn._embedding import *
from torch.nn._losses import *
from torch.nn._normalisation import *
from torch.nn._padding import *
from torch.nn._pooling import *
from torch._products import pdist
