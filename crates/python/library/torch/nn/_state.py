"""The state of a module: what it is made of, and whether another state fits."""

import _tensorvet

# Names that a message lists.
_MOST = 4


class IncompatibleKeys(tuple):
    """What a state had too little and too much."""

    def __new__(cls, missing_keys, unexpected_keys):
        return tuple.__new__(cls, (missing_keys, unexpected_keys))

    @property
    def missing_keys(self):
        return self[0]

    @property
    def unexpected_keys(self):
        return self[1]

    def __repr__(self):
        if not self[0] and not self[1]:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self[0]}, unexpected_keys={self[1]})"

    __str__ = __repr__


def collected(module, found, prefix, keep_vars=False):
    """Enters parameters and buffers under their full names."""
    for own, left_out in ((module._parameters, ()), (module._buffers, module._passing)):
        for name, value in own.items():
            if value is not None and name not in left_out:
                found[prefix + name] = value if keep_vars or not _tensorvet.is_tensor(value) else _tensorvet.alias(value, False)
    for name, part in module._modules.items():
        if part is not None:
            part.state_dict(destination=found, prefix=prefix + name + ".", keep_vars=keep_vars)
    return found


def _own(module, found, prefix=""):
    """The state that PyTorch looks for, whatever `state_dict` was made to give."""
    for own, left_out in ((module._parameters, ()), (module._buffers, module._passing)):
        found.update({prefix + name: value for name, value in own.items() if value is not None and name not in left_out})
    for name, part in module._modules.items():
        if part is not None:
            _own(part, found, prefix + name + ".")
    return found


def _is_whole(module, plain):
    """Whether everything a module holds is known, and is loaded the usual way."""
    if module._translates or type(module)._load_from_state_dict is not plain:
        return False
    for value in module.__dict__.values():
        if _tensorvet.is_open(value):
            return False
    for part in module._modules.values():
        if part is not None and not _is_whole(part, plain):
            return False
    return True


def _listed(names):
    more = len(names) - _MOST
    return ", ".join(['"' + name + '"' for name in names[:_MOST]]) + (" and " + str(more) + " more" if more > 0 else "")


def _fits(name, module, state):
    """States that a weight of the module has the shape that it has in the state."""
    if _tensorvet.is_tensor(module) and _tensorvet.is_tensor(state):
        # A tensor of one element may have been saved with an axis.
        if not (module.ndim == 0 and state.ndim == 1):
            _tensorvet.require("`" + name + "` has one shape in `module` and `state`", module.shape == state.shape, "shape", module, state)


def loaded(module, state, strict, assign, plain):
    """States that a state fits a module; gives what it has too little and too much."""
    if _tensorvet.is_unknown(state):
        return _tensorvet.unknown("what fits a state that is not known")
    if not isinstance(state, dict):
        raise TypeError("Expected state_dict to be dict-like, got " + type(state).__name__ + ".")
    if not _is_whole(module, plain):
        return _tensorvet.unknown("what fits a module of which not every part is known")
    own = _own(module, {})
    missing = [name for name in own if name not in state]
    unexpected = [name for name in state if name not in own]
    # States of before batches were counted lack the counters, and are loaded all the same.
    needed = [name for name in missing if not name.endswith("num_batches_tracked")]
    if strict and (needed or unexpected):
        told = ""
        if unexpected:
            told += " Unexpected key(s) in state_dict: " + _listed(unexpected) + "."
        if needed:
            told += " Missing key(s) in state_dict: " + _listed(needed) + "."
        raise RuntimeError("Error(s) in loading state_dict for " + type(module).__name__ + ":" + told)
    for name in state:
        if not assign and name in own:
            _fits(name, own[name], state[name])
    return IncompatibleKeys(missing, unexpected)
