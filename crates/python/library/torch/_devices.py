"""Devices that are not there, and the functions that ask for them."""

from torch._contexts import _Context, autocast
from torch import _types


def is_available(*arguments):
    return False


is_built = is_initialized = is_bf16_supported = is_current_stream_capturing = is_available


def device_count():
    return 0


current_device = memory_allocated = max_memory_allocated = memory_reserved = max_memory_reserved = lambda *arguments: 0


def manual_seed(*arguments, **options):
    return None


manual_seed_all = seed = set_device = empty_cache = synchronize = ipc_collect = reset_peak_memory_stats = reset_max_memory_allocated = set_per_process_memory_fraction = init = set_rng_state = set_rng_state_all = set_stream = set_device_index = manual_seed


def get_device_name(device=None):
    return "cpu"


def get_device_capability(device=None):
    return (0, 0)


def get_rng_state(*arguments):
    from torch._contexts import get_rng_state

    return get_rng_state()


def current_stream(*arguments):
    return Stream()


class Stream(_Context):
    def wait_stream(self, stream):
        return None

    synchronize = record_event = wait_event = query = lambda self, *arguments: None


class Event(Stream):
    def record(self, stream=None):
        return None

    def elapsed_time(self, other):
        return 0.0


class stream(_Context):
    pass


class device(_Context):
    pass
