"""Files of objects; what runs in parallel is one after the other."""

import _tensorvet
import _written


def dump(value, filename, compress=0, protocol=None):
    _written.write(filename, value)
    return [filename]


def load(filename, mmap_mode=None, ensure_native_byte_order="auto"):
    found = _written.read(filename)
    return found[0] if found is not None else _tensorvet.unknown("what a file of joblib holds")


def delayed(function):
    def later(*arguments, **options):
        return lambda: function(*arguments, **options)

    return later


class Parallel:
    def __init__(self, n_jobs=None, **options):
        pass

    def __call__(self, calls):
        return [call() for call in calls]

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def cpu_count():
    return _tensorvet.symbol("cpus", 1, 4096, "the number of processors")
