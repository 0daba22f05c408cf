"""Mixed precision."""

from torch import amp
from torch.amp import GradScaler, custom_bwd, custom_fwd


class autocast(amp.autocast):
    def __init__(self, enabled=True, dtype=None, cache_enabled=True):
        super().__init__("cuda", dtype, enabled, cache_enabled)
