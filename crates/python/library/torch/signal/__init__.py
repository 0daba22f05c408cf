"""Signal processing."""

from torch.signal import windows
