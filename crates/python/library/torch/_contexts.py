"""Contexts, seeds and settings: they do not change shapes."""


class _Context:
    """A context and a decorator that leave everything as it is."""

    def __init__(self, *arguments, **options):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __call__(self, function):
        return function


class no_grad(_Context):
    """A context; a decorator with and without parentheses."""

    def __new__(cls, function=None, *arguments, **options):
        return function if callable(function) and not isinstance(function, type(True)) else object.__new__(cls)


class enable_grad(no_grad):
    pass


class inference_mode(no_grad):
    pass


class set_grad_enabled(_Context):
    pass


class autocast(_Context):
    """Some operators compute in half precision inside; the types that come out are not modelled."""


class Generator:
    def __init__(self, device="cpu"):
        self.device = device

    def manual_seed(self, seed):
        return self

    def seed(self):
        return 0

    initial_seed = seed


def is_grad_enabled():
    return True


def is_autocast_enabled(*arguments):
    return False


def manual_seed(seed):
    return Generator()


def set_num_threads(*arguments, **options):
    return None


seed = set_num_interop_threads = set_default_device = set_float32_matmul_precision = use_deterministic_algorithms = set_printoptions = set_deterministic_debug_mode = set_flush_denormal = set_rng_state = set_num_threads


def get_num_threads():
    return 1


initial_seed = get_num_threads


def get_rng_state():
    from torch._rules import made

    return made("u8", [5056])


def compile(model=None, **options):
    return (lambda function: function) if model is None else model
