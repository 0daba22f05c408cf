"""Measuring: it has no say in what tensors do."""

import _tensorvet
from torch._contexts import _Context


class profile(_Context):
    def step(self):
        return None

    start = stop = export_chrome_trace = export_stacks = add_metadata = lambda self, *arguments, **options: None

    def key_averages(self, *arguments, **options):
        return _Table()


class _Table:
    def table(self, *arguments, **options):
        return ""


class record_function(_Context):
    pass


class ProfilerActivity:
    CPU, CUDA, XPU, MTIA = 0, 1, 2, 3


def schedule(**options):
    return None


tensorboard_trace_handler = lambda *arguments, **options: None
