"""Contexts, seeds and settings: they do not change shapes; some say whether gradients are followed."""

import _tensorvet


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


class _Following:
    """A context, and a decorator, in which gradients are followed or not."""

    def __init__(self, follows):
        self._follows, self._before = follows, []

    def __enter__(self):
        self._before.append(_tensorvet.follows_gradients(self._follows))
        return self

    def __exit__(self, *error):
        _tensorvet.follows_gradients(self._before.pop())
        return False

    def __call__(self, function):
        decorated = _tensorvet.with_gradients(function, self._follows)
        if decorated is not None:
            return decorated

        def inside(*arguments, **options):
            with self:
                return function(*arguments, **options)

        return inside


class _Fixed(_Following):
    """Used as a decorator with and without parentheses."""

    _always = False

    def __new__(cls, orig_func=None, mode=True):
        context = object.__new__(cls)
        if callable(orig_func):
            _Following.__init__(context, cls._always)
            return context(orig_func)
        return context

    def __init__(self, orig_func=None, mode=True):
        _Following.__init__(self, self._always)


class no_grad(_Fixed):
    pass


class enable_grad(_Fixed):
    _always = True


class inference_mode(_Fixed):
    """Says nothing of gradients if it is switched off."""

    def __init__(self, mode=True):
        _Following.__init__(self, False if mode is True else _tensorvet.follows_gradients() if mode is False else mode)


class set_grad_enabled(_Following):
    """Holds from here on, and until the end of the context if it is one."""

    def __init__(self, mode):
        _Following.__init__(self, mode)
        self._before.append(_tensorvet.follows_gradients(mode))

    def __enter__(self):
        return self


class autocast(_Context):
    """Inside, products and convolutions are computed in half precision, losses in float32."""

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str) and not _tensorvet.is_unknown(device_type):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        on_cpu = _tensorvet.decided(device_type == "cpu") is True
        half = on_cpu and (dtype is None or dtype._kind in ("f16", "bf16"))
        self._kind = ("bf16" if dtype is None else dtype._kind) if half else None if on_cpu else "gpu"
        self._enabled, self._before = enabled, []

    def __enter__(self):
        self._before.append(_tensorvet.autocast(self._kind if self._enabled else None))
        return self

    def __exit__(self, *error):
        _tensorvet.autocast(self._before.pop())
        return False

    def __call__(self, function):
        def inside(*arguments, **options):
            with self:
                return function(*arguments, **options)

        return inside


class Generator:
    def __init__(self, device="cpu"):
        self.device = device

    def manual_seed(self, seed):
        return self

    def seed(self):
        return 0

    initial_seed = seed


def is_grad_enabled():
    return _tensorvet.follows_gradients()


def is_inference_mode_enabled():
    return False


def is_autocast_enabled(*arguments):
    return _tensorvet.autocast() is not None


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
