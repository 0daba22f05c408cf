"""XPU, which is not there."""

from torch._devices import *
