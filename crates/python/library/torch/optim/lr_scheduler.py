"""Schedules of learning rates: numbers that no shape depends on."""

import _tensorvet


class LRScheduler:
    def __init__(self, optimizer, *arguments, **options):
        if not hasattr(optimizer, "param_groups"):
            raise TypeError(type(optimizer).__name__ + " is not an Optimizer")
        self.optimizer, self.last_epoch = optimizer, 0

    def step(self, *arguments, **options):
        self.last_epoch += 1

    def get_last_lr(self):
        return [_tensorvet.unknown("a learning rate", "float") for _ in self.optimizer.param_groups]

    get_lr = get_last_lr

    def state_dict(self):
        return {}

    def load_state_dict(self, state_dict):
        return None


_LRScheduler = LRScheduler

for _name in "StepLR MultiStepLR ExponentialLR CosineAnnealingLR CosineAnnealingWarmRestarts ReduceLROnPlateau LambdaLR MultiplicativeLR OneCycleLR CyclicLR LinearLR ConstantLR PolynomialLR SequentialLR".split():
    _tensorvet.define(_name, type(_name, (LRScheduler,), {}))
