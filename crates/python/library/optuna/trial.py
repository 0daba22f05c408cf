"""Trials: each value that is suggested has a name, and can be a hyper-parameter by it."""

import _system
import _tensorvet


_NOTHING = object()


def _suggested(name, kind=None):
    """What the space says of a hyper-parameter; if it says nothing, it is not known."""
    taken = _tensorvet.option(name, _NOTHING)
    if taken is not _NOTHING:
        return taken
    return _tensorvet.unknown(f"what is suggested for `{name}`", kind)


class Trial:
    number = _tensorvet.symbol("trial", 0, 2147483646, "the number of a trial")
    params = _system.harmless("the parameters of a trial")
    user_attrs = _system.harmless("what a trial was told")
    study = _system.harmless("the study of a trial")

    def suggest_int(self, name, low, high, step=1, log=False):
        return _tensorvet.option(name, _tensorvet.symbol(name, low, high, f"`{name}` of the trial"))

    def suggest_float(self, name, low, high, *, step=None, log=False):
        return _suggested(name, "float")

    def suggest_uniform(self, name, low, high):
        return self.suggest_float(name, low, high)

    def suggest_loguniform(self, name, low, high):
        return self.suggest_float(name, low, high)

    def suggest_discrete_uniform(self, name, low, high, q):
        return self.suggest_float(name, low, high)

    def suggest_categorical(self, name, choices):
        return _suggested(name)

    def report(self, value, step):
        return None

    def should_prune(self):
        return False

    def set_user_attr(self, key, value):
        return None


class FixedTrial(Trial):
    def __init__(self, params, number=0):
        self.params, self.number = params, number

    def suggest_int(self, name, low, high, step=1, log=False):
        return self.params[name]

    def suggest_float(self, name, low, high, *, step=None, log=False):
        return self.params[name]

    def suggest_categorical(self, name, choices):
        return self.params[name]


FrozenTrial = _system.harmless("optuna.trial.FrozenTrial")
TrialState = _system.harmless("optuna.trial.TrialState")
