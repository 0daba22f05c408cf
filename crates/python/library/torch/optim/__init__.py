"""Optimisers: they change numbers, not shapes."""

import _tensorvet
from _tensorvet import require
from torch.optim import lr_scheduler

REQUIRED = object()


class Optimizer:
    """Parameters in groups, each with its options."""

    def __init__(self, params, defaults):
        if _tensorvet.is_tensor(params):
            raise TypeError("params argument given to the optimizer should be an iterable of Tensors or dicts")
        params = list(params)
        if not params:
            raise ValueError("optimizer got an empty parameter list")
        self.defaults, self.state, self.param_groups = defaults, {}, []
        for group in params if isinstance(params[0], dict) else [{"params": params}]:
            self.add_param_group(group)

    def add_param_group(self, param_group):
        held = param_group["params"]
        group = {**self.defaults, **param_group, "params": [held] if _tensorvet.is_tensor(held) else list(held)}
        self.param_groups.append(group)

    def zero_grad(self, set_to_none=True):
        return None

    def step(self, closure=None):
        return closure() if closure is not None else None

    def state_dict(self):
        return {"state": self.state, "param_groups": self.param_groups}

    def load_state_dict(self, state_dict):
        return None


def _optimizer(name, **parameters):
    """An optimiser by its options, in order, with their defaults."""
    words = list(parameters)

    def __init__(self, params, *arguments, **options):
        if len(arguments) > len(words):
            raise TypeError(name + "() takes " + str(len(words) + 1) + " arguments")
        for word, value in zip(words, arguments):
            if word in options:
                raise TypeError(name + "() got multiple values for argument '" + word + "'")
            options[word] = value
        for word in options:
            if word not in parameters:
                raise TypeError(name + "() got an unexpected keyword argument '" + word + "'")
        options = {**parameters, **options}
        for word, value in options.items():
            if word in ("lr", "weight_decay", "eps", "momentum") and isinstance(value, (int, float)):
                require("`" + word + "` is not negative", value >= 0, "value")
            if word == "betas":
                for beta in value:
                    require("betas lie between 0 and 1", 0 <= beta and beta < 1, "value")
        Optimizer.__init__(self, params, options)

    return type(name, (Optimizer,), {"__init__": __init__})


_ADAM = {"lr": 1e-3, "betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 0, "amsgrad": False, "foreach": None, "maximize": False, "capturable": False, "differentiable": False, "fused": None}
Adam = _optimizer("Adam", **_ADAM, decoupled_weight_decay=False)
AdamW = _optimizer("AdamW", **{**_ADAM, "weight_decay": 1e-2})
SGD = _optimizer("SGD", lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, maximize=False, foreach=None, differentiable=False, fused=None)
RMSprop = _optimizer("RMSprop", lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, capturable=False, foreach=None, maximize=False, differentiable=False)
Adagrad = _optimizer("Adagrad", lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None, maximize=False, differentiable=False, fused=None)
Adadelta = _optimizer("Adadelta", lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, capturable=False, maximize=False, differentiable=False)
Adamax = _optimizer("Adamax", lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, maximize=False, differentiable=False, capturable=False)
NAdam = _optimizer("NAdam", lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3, decoupled_weight_decay=False, foreach=None, maximize=False, capturable=False, differentiable=False)
RAdam = _optimizer("RAdam", lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, decoupled_weight_decay=False, foreach=None, maximize=False, capturable=False, differentiable=False)
SparseAdam = _optimizer("SparseAdam", lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False)
Rprop = _optimizer("Rprop", lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), capturable=False, foreach=None, maximize=False, differentiable=False)
ASGD = _optimizer("ASGD", lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None, maximize=False, differentiable=False, capturable=False)
LBFGS = _optimizer("LBFGS", lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9, history_size=100, line_search_fn=None)
