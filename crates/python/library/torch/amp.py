"""Mixed precision: the shapes are the same."""


class autocast:
    def __init__(self, *arguments, **options):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __call__(self, function):
        return function


class GradScaler:
    def __init__(self, *arguments, **options):
        pass

    def scale(self, outputs):
        return outputs

    def step(self, optimizer, *arguments, **options):
        return optimizer.step(*arguments)

    def unscale_(self, optimizer):
        return None

    def update(self, new_scale=None):
        return None

    def get_scale(self):
        return 65536.0

    def is_enabled(self):
        return True

    def state_dict(self):
        return {}

    def load_state_dict(self, state_dict):
        return None
