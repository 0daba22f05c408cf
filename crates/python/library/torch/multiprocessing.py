"""Processes: what they would run is run where they start."""

import _tensorvet


class Process:
    exitcode = 0
    pid = 1
    daemon = False

    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        self._target, self._arguments, self._options, self.name = target, args, kwargs or {}, name

    def run(self):
        if self._target is not None:
            self._target(*self._arguments, **self._options)

    def start(self):
        self.run()

    def join(self, timeout=None):
        return None

    terminate = kill = close = join

    def is_alive(self):
        return False


def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """The first process stands for all."""
    if nprocs < 1:
        return None
    fn(0, *args)
    return None if join else Process()


def set_start_method(method, force=False):
    return None


set_sharing_strategy = set_start_method


def get_start_method(allow_none=False):
    return "spawn"


def cpu_count():
    return _tensorvet.symbol("cpus", 1, 4096, "the number of processors")


def get_context(method=None):
    from torch import multiprocessing

    return multiprocessing


def __getattr__(name):
    return _tensorvet.unknown("`torch.multiprocessing." + name + "` is not modelled")
