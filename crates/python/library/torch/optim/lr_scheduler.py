"""Schedulers: learning rates are numbers that change; what a scheduler takes is checked, what it computes is not known."""

import _tensorvet
from _tensorvet import require


class LRScheduler:
    last_epoch = 0

    def __init__(self, optimizer, last_epoch=-1):
        from torch.optim import Optimizer

        if not isinstance(optimizer, Optimizer) and not _tensorvet.is_unknown(optimizer) and not hasattr(optimizer, "param_groups"):
            raise TypeError(type(optimizer).__name__ + " is not an Optimizer")
        self.optimizer = optimizer
        self.base_lrs = [group["lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch + 1

    def step(self, epoch=None):
        return None

    def get_last_lr(self):
        return [group["lr"] for group in self.optimizer.param_groups]

    get_lr = get_last_lr

    def state_dict(self):
        return {"last_epoch": self.last_epoch, "base_lrs": self.base_lrs}

    def load_state_dict(self, state_dict):
        return None


class _Required:
    pass


# What each scheduler takes after the optimiser, in order.
_KNOWN = {
    "LambdaLR": dict(lr_lambda=_Required),
    "MultiplicativeLR": dict(lr_lambda=_Required),
    "StepLR": dict(step_size=_Required, gamma=0.1),
    "MultiStepLR": dict(milestones=_Required, gamma=0.1),
    "ConstantLR": dict(factor=1.0 / 3, total_iters=5),
    "LinearLR": dict(start_factor=1.0 / 3, end_factor=1.0, total_iters=5),
    "ExponentialLR": dict(gamma=_Required),
    "PolynomialLR": dict(total_iters=5, power=1.0),
    "CosineAnnealingLR": dict(T_max=_Required, eta_min=0.0),
    "CosineAnnealingWarmRestarts": dict(T_0=_Required, T_mult=1, eta_min=0.0),
    "CyclicLR": dict(base_lr=_Required, max_lr=_Required, step_size_up=2000, step_size_down=None, mode="triangular", gamma=1.0, scale_fn=None, scale_mode="cycle", cycle_momentum=True, base_momentum=0.8, max_momentum=0.9),
    "OneCycleLR": dict(max_lr=_Required, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3, anneal_strategy="cos", cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0, final_div_factor=1e4, three_phase=False),
    "SequentialLR": dict(schedulers=_Required, milestones=_Required),
}


def _scheduler(name, numbers):
    words = list(numbers) + ["last_epoch"]

    def __init__(self, optimizer, *values, **options):
        if len(values) > len(words):
            raise TypeError(name + ".__init__() takes at most " + str(len(words) + 2) + " positional arguments but " + str(len(values) + 2) + " were given")
        chosen = dict(zip(words, values))
        for word, value in options.items():
            if word not in words:
                raise TypeError(name + ".__init__() got an unexpected keyword argument '" + word + "'")
            if word in chosen:
                raise TypeError(name + ".__init__() got multiple values for argument '" + word + "'")
            chosen[word] = value
        for word, value in numbers.items():
            if word not in chosen and value is _Required:
                raise TypeError(name + ".__init__() missing 1 required positional argument: '" + word + "'")
            setattr(self, word, chosen.get(word, value))
        LRScheduler.__init__(self, optimizer)
        if name in _CHECKED:
            _CHECKED[name](self, optimizer)
        if name == "LambdaLR" and callable(self.lr_lambda):
            self.lr_lambda(0)

    def step(self, epoch=None):
        # It counts in rounds of so many steps.
        if name == "StepLR":
            require("`step_size` is not zero", self.step_size != 0, "value", raises=ZeroDivisionError)
        if name == "CosineAnnealingLR":
            require("`T_max` is not zero", self.T_max != 0, "value", raises=ZeroDivisionError)

    return type(name, (LRScheduler,), {"__init__": __init__, "step": step})


def _positive(name, number):
    require("`" + name + "` is positive", number > 0, "value", raises=ValueError)


def _check_factor(self, optimizer):
    require("`factor` lies between 0 and 1", 0 <= self.factor and self.factor <= 1, "value", raises=ValueError)


def _check_factors(self, optimizer):
    require("`start_factor` is above 0 and at most 1", 0 < self.start_factor and self.start_factor <= 1, "value", raises=ValueError)
    require("`end_factor` lies between 0 and 1", 0 <= self.end_factor and self.end_factor <= 1, "value", raises=ValueError)


def _check_restarts(self, optimizer):
    _positive("T_0", self.T_0)
    _positive("T_mult", self.T_mult)


def _check_momentum(self, optimizer):
    if self.cycle_momentum is True:
        groups = optimizer.param_groups
        is_moved = not groups or _tensorvet.is_unknown(groups) or "momentum" in groups[0] or "betas" in groups[0]
        require("the optimizer has a momentum or betas, as `cycle_momentum` needs", is_moved, "value", raises=ValueError)


def _check_cycle(self, optimizer):
    require("`mode` is 'triangular', 'triangular2' or 'exp_range'", self.scale_fn is not None or self.mode in ("triangular", "triangular2", "exp_range"), "value", raises=ValueError)
    _check_momentum(self, optimizer)


def _check_one_cycle(self, optimizer):
    if self.total_steps is not None:
        _positive("total_steps", self.total_steps)
    elif self.epochs is None or self.steps_per_epoch is None:
        raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
    else:
        _positive("epochs", self.epochs)
        _positive("steps_per_epoch", self.steps_per_epoch)
    require("`pct_start` lies between 0 and 1", 0 <= self.pct_start and self.pct_start <= 1, "value", raises=ValueError)
    require("`anneal_strategy` is 'cos' or 'linear'", self.anneal_strategy in ("cos", "linear"), "value", raises=ValueError)
    _check_momentum(self, optimizer)


_CHECKED = {"ConstantLR": _check_factor, "LinearLR": _check_factors, "CosineAnnealingWarmRestarts": _check_restarts, "CyclicLR": _check_cycle, "OneCycleLR": _check_one_cycle}


for _name, _numbers in _KNOWN.items():
    _tensorvet.define(_name, _scheduler(_name, _numbers))
_LRScheduler = LRScheduler


class ReduceLROnPlateau(LRScheduler):
    def __init__(self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0, min_lr=0, eps=1e-8):
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if mode not in ("min", "max"):
            raise ValueError("mode " + str(mode) + " is unknown!")
        super().__init__(optimizer)
        self.best, self.num_bad_epochs = None, 0

    def step(self, metrics, epoch=None):
        return None


class ChainedScheduler(LRScheduler):
    def __init__(self, schedulers, optimizer=None):
        super().__init__(schedulers[0].optimizer if optimizer is None else optimizer)
