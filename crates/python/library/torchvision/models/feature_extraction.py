"""Features from inside of models: what layers of the given names make of the input."""

from collections import OrderedDict

import _tensorvet
from torch import nn


class _Extractor(nn.Module):
    def __init__(self, model, wanted):
        super().__init__()
        self._traced, self._wanted = model, wanted

    def forward(self, *arguments):
        seen = {}
        layers = dict(self._traced.named_modules())
        handles = [layers[name].register_forward_hook(lambda layer, given, result, name=name: seen.update({name: result})) for name in self._wanted]
        self._traced(*arguments)
        for handle in handles:
            handle.remove()
        return OrderedDict([(new, seen[name]) for name, new in self._wanted.items()])


def create_feature_extractor(model, return_nodes=None, train_return_nodes=None, eval_return_nodes=None, tracer_kwargs=None, suppress_diff_warning=False, concrete_args=None):
    nodes = return_nodes if return_nodes is not None else train_return_nodes
    wanted = dict(nodes) if isinstance(nodes, dict) else {name: name for name in nodes}
    layers = dict(model.named_modules())
    for name in wanted:
        if name not in layers:
            return _tensorvet.unknown("`" + str(name) + "` is no layer, and operations inside of layers are not named")
    return _Extractor(model, wanted)
