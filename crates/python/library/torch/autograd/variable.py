"""An old name for tensors."""

from torch.autograd import Variable
