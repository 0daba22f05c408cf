"""Layers that take their width from the first tensor they see."""

from torch.nn import _weighted
from torch.nn._module import Module


def _lazy(name, place):
    """The layer of a name; `place` is the axis that gives the first argument."""
    kind = getattr(_weighted, name)

    def __init__(self, *arguments, **options):
        Module.__init__(self)
        self._given = (arguments, options)
        self._translates = True

    def forward(self, input):
        if self._given is not None:
            arguments, options = self._given
            is_training = self.training
            kind.__init__(self, input.shape[place], *arguments, **options)
            self.training, self._given, self._translates = is_training, None, False
        return kind.forward(self, input)

    return type("Lazy" + name, (kind,), {"__init__": __init__, "forward": forward})


LazyLinear = _lazy("Linear", -1)
LazyConv1d, LazyConv2d, LazyConv3d = _lazy("Conv1d", -2), _lazy("Conv2d", -3), _lazy("Conv3d", -4)
LazyConvTranspose1d, LazyConvTranspose2d, LazyConvTranspose3d = _lazy("ConvTranspose1d", -2), _lazy("ConvTranspose2d", -3), _lazy("ConvTranspose3d", -4)
LazyBatchNorm1d, LazyBatchNorm2d, LazyBatchNorm3d = _lazy("BatchNorm1d", 1), _lazy("BatchNorm2d", 1), _lazy("BatchNorm3d", 1)
LazyInstanceNorm1d, LazyInstanceNorm2d, LazyInstanceNorm3d = _lazy("InstanceNorm1d", -2), _lazy("InstanceNorm2d", -3), _lazy("InstanceNorm3d", -4)
