"""Checks of types when functions are called; of arrays they are modelled where jaxtyping describes them."""


class BeartypeConf:
    def __init__(self, **options):
        pass


def beartype(obj=None, *, conf=None):
    if obj is None:
        return beartype
    if not isinstance(obj, type) and hasattr(obj, "__annotations__"):
        obj._has_checked_types = True
    return obj
