"""What may be loaded."""

from torch._contexts import _Context
from torch._storage import _allowed, load, save


class safe_globals(_Context):
    def __enter__(self):
        _allowed[0] = True
        return self


def add_safe_globals(safe_globals):
    _allowed[0] = True
