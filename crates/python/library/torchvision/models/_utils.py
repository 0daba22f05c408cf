"""Parts of models."""

from collections import OrderedDict

from torch import nn


class IntermediateLayerGetter(nn.ModuleDict):
    """The layers of a model up to the last that is asked for; gives what those asked for give."""

    def __init__(self, model, return_layers):
        children = dict(model.named_children())
        if not set(return_layers) <= set(children):
            raise ValueError("return_layers are not present in model")
        left, layers = set(return_layers), OrderedDict()
        for name, layer in children.items():
            layers[name] = layer
            left.discard(name)
            if not left:
                break
        super().__init__(layers)
        self.return_layers = dict(return_layers)

    def forward(self, x):
        found = OrderedDict()
        for name, layer in self.items():
            x = layer(x)
            if name in self.return_layers:
                found[self.return_layers[name]] = x
        return found
