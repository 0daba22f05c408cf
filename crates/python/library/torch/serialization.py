"""What may be loaded."""

from torch._contexts import _Context
from torch._storage import load, save


class safe_globals(_Context):
    pass


def add_safe_globals(safe_globals):
    return None
