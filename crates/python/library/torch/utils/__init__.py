"""Data, and helpers of training."""

from torch.utils import checkpoint
from torch.utils import data
