"""Optimisers: they change numbers, not shapes; what they are given is checked."""

from collections import defaultdict

import _tensorvet
from torch.optim import lr_scheduler


class Optimizer:
    """Groups of parameters, each with the numbers that it is optimised by."""

    _nonnegative = ("lr", "eps", "weight_decay", "momentum", "rho", "lr_decay", "momentum_decay")

    def __init__(self, params, defaults=None, **others):
        self.defaults = dict(defaults or {}, **others)
        self.state = defaultdict(dict)
        self.param_groups = []
        if _tensorvet.is_tensor(params):
            raise TypeError("params argument given to the optimizer should be an iterable of Tensors or dicts, but got torch.FloatTensor")
        if _tensorvet.is_unknown(params):
            params = []
        else:
            params = list(params)
            if not params:
                raise ValueError("optimizer got an empty parameter list")
        for group in params if params and isinstance(params[0], dict) else [{"params": params}]:
            self.add_param_group(group)

    def add_param_group(self, param_group):
        if not isinstance(param_group, dict):
            raise TypeError("param_group must be a dict, but got " + type(param_group).__name__)
        group = dict(self.defaults)
        group.update(param_group)
        given = group["params"]
        group["params"] = [given] if _tensorvet.is_tensor(given) else [each[1] if isinstance(each, tuple) else each for each in given]
        for param in group["params"]:
            if not _tensorvet.is_tensor(param) and not _tensorvet.is_unknown(param):
                raise TypeError("optimizer can only optimize Tensors, but one of the params is " + type(param).__name__)
            if _tensorvet.is_tensor(param) and _tensorvet.gradient(param) == "derived":
                raise ValueError("can't optimize a non-leaf Tensor")
        for name in self._nonnegative:
            value = group.get(name)
            if isinstance(value, str):
                raise TypeError("'<=' not supported between instances of 'float' and 'str': `" + name + "` is the text " + repr(value) + " (YAML takes 1e-3 for a text: write 1.0e-3)")
            if isinstance(value, (int, float)) and value < 0:
                raise ValueError("Invalid " + {"lr": "learning rate", "eps": "epsilon value"}.get(name, name + " value") + ": " + str(value))
        self.param_groups.append(group)

    def zero_grad(self, set_to_none=True):
        if set_to_none is True:
            for group in self.param_groups:
                _tensorvet.clear_gradients(group["params"])

    def step(self, closure=None):
        loss = closure() if closure is not None else None
        for group in self.param_groups:
            _tensorvet.step(group["params"])
        return loss

    def state_dict(self):
        return {"state": self.state, "param_groups": self.param_groups}

    def load_state_dict(self, state_dict):
        return None

    def register_step_pre_hook(self, hook):
        return None

    register_step_post_hook = register_state_dict_post_hook = register_load_state_dict_pre_hook = register_step_pre_hook


# The numbers that an optimiser takes after the parameters, in order, with what they are unless told; after `*` by name only.
_FLAGS = dict(foreach=None, maximize=False, differentiable=False, capturable=False, fused=None)
_KNOWN = {
    "SGD": dict(lr=0.001, momentum=0, dampening=0, weight_decay=0, nesterov=False),
    "Adam": dict(lr=0.001, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, decoupled_weight_decay=False),
    "AdamW": dict(lr=0.001, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01, amsgrad=False),
    "NAdam": dict(lr=0.002, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=0.004, decoupled_weight_decay=False),
    "RAdam": dict(lr=0.001, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, decoupled_weight_decay=False),
    "Adamax": dict(lr=0.002, betas=(0.9, 0.999), eps=1e-8, weight_decay=0),
    "SparseAdam": dict(lr=0.001, betas=(0.9, 0.999), eps=1e-8),
    "Adadelta": dict(lr=1.0, rho=0.9, eps=1e-6, weight_decay=0),
    "Adagrad": dict(lr=0.01, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10),
    "Adafactor": dict(lr=0.01, beta2_decay=-0.8, eps=(None, 0.001), d=1.0, weight_decay=0.0),
    "ASGD": dict(lr=0.01, lambd=0.0001, alpha=0.75, t0=1000000.0, weight_decay=0),
    "RMSprop": dict(lr=0.01, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False),
    "Rprop": dict(lr=0.01, etas=(0.5, 1.2), step_sizes=(1e-6, 50)),
    "Muon": dict(lr=0.001, weight_decay=0.1, momentum=0.95, nesterov=True, ns_coefficients=(3.4445, -4.775, 2.0315), eps=1e-7, ns_steps=5, adjust_lr_fn=None),
}


def _kept():
    return _tensorvet.unknown("what an optimiser keeps of a parameter")


def _optimiser(name, numbers):
    words = list(numbers)

    def __init__(self, params, *values, **options):
        if len(values) > len(words):
            raise TypeError(name + ".__init__() takes at most " + str(len(words) + 2) + " positional arguments but " + str(len(values) + 2) + " were given")
        for word in options:
            if word not in numbers and word not in _FLAGS:
                raise TypeError(name + ".__init__() got an unexpected keyword argument '" + word + "'")
        for word in words[: len(values)]:
            if word in options:
                raise TypeError(name + ".__init__() got multiple values for argument '" + word + "'")
        chosen = dict(numbers)
        chosen.update(zip(words, values))
        chosen.update(options)
        for beta in chosen.get("betas", ()):
            if isinstance(beta, (int, float)) and not 0.0 <= beta < 1.0:
                raise ValueError("Invalid beta parameter: " + str(beta))
        if chosen.get("nesterov") and name == "SGD" and (chosen["momentum"] <= 0 or chosen["dampening"] != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        Optimizer.__init__(self, params, chosen)
        self.state = defaultdict(_kept)

    return type(name, (Optimizer,), {"__init__": __init__})


for _name, _numbers in _KNOWN.items():
    _tensorvet.define(_name, _optimiser(_name, _numbers))


class LBFGS(Optimizer):
    """Evaluates a closure as often as it likes; once stands for all."""

    def __init__(self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9, history_size=100, line_search_fn=None, *, maximize=False):
        super().__init__(params, {"lr": lr, "max_iter": max_iter, "history_size": history_size})
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")

    def step(self, closure):
        return closure()
