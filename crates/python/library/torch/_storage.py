"""Saving and loading: what this program has saved is what it loads; of other files that are here the headers are read."""

import _system
import _tensorvet
import _written
from torch import _types


def save(obj, f, *arguments, **options):
    _written.write(f, obj)


def _made(what, given):
    """What a checkpoint holds besides plain data and tensors."""
    if what == "array":
        from numpy import ndarray

        return ndarray._of(given)
    if given.startswith("torch."):
        found = getattr(_types, given[len("torch."):], None)
        if isinstance(found, _types.dtype):
            return found
    return _tensorvet.unknown("`" + given + "` in a checkpoint")


# Whether the program says what else may be loaded, and which classes hold nothing but plain data.
_allowed = [False]
_PLAIN = ("list", "tuple", "dict", "set", "OrderedDict", "Counter", "Size")


def _refused(value, depth=0):
    """The type of something in a value that is loaded only with `weights_only=False`; None if there is nothing such."""
    if depth > 8 or _tensorvet.is_unknown(value) or _tensorvet.is_tensor(value) or value is None:
        return None
    name = type(value).__name__
    if name == "ndarray" or hasattr(value, "_parameters") or _tensorvet.is_own(type(value)):
        return name
    if name not in _PLAIN:
        return None
    parts = list(value.values()) if isinstance(value, dict) else list(value)
    for each in parts[:64]:
        found = _refused(each, depth + 1)
        if found is not None:
            return found
    return None


def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **options):
    value = stored(f, "torch")
    if weights_only is not False and pickle_module is None and not _allowed[0]:
        refused = _refused(value)
        _tensorvet.require(f"what is loaded without `weights_only=False` (since PyTorch 2.6) is tensors and plain data, not `{refused}`", refused is None, "refused")
    return value


def stored(f, form):
    """What a checkpoint holds: one that was written, or else one that is here."""
    found = _written.own(f)
    if found is not None:
        return found[0]
    place = _written.place_of(f)
    if not _written.is_known(place):
        return _tensorvet.unknown("what a file holds of which the name is not known")
    found = _system.read_checkpoint(place, form, _made)
    if found is not None:
        how, what = found
        if how == "read":
            return what
        if how == "broken":
            raise RuntimeError("`" + place + "` cannot be loaded: " + what)
        return _tensorvet.unknown("`" + place + "`, of which nothing is known: " + what)
    found = _written.of_others(place)
    if found is not None:
        return found[0]
    if _system.is_surely_absent(place):
        raise FileNotFoundError("[Errno 2] No such file or directory: '" + place + "'")
    return _tensorvet.unknown("what `" + place + "` holds, which is not here")
