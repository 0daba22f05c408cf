"""Optimisers: they change numbers, not shapes."""


class Optimizer:
    def __init__(self, params, *arguments, **options):
        self.params = list(params)
        if not self.params:
            raise ValueError("optimizer got an empty parameter list")
        self.param_groups = [{"params": self.params, "lr": options.get("lr", 0.001)}]

    def zero_grad(self, set_to_none=True):
        return None

    def step(self, closure=None):
        return closure() if closure is not None else None

    def state_dict(self):
        return {}

    def load_state_dict(self, state):
        return None


class SGD(Optimizer):
    pass


class Adam(Optimizer):
    pass


class AdamW(Optimizer):
    pass


class RMSprop(Optimizer):
    pass


class Adadelta(Optimizer):
    pass
