"""Settings of what computes."""

from torch import _devices as mps
from torch.backends import cudnn

cuda = mkldnn = mkl = openmp = opt_einsum = cudnn
