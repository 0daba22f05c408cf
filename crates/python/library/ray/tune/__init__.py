"""Ray Tune: of all trials one is run; what its configuration holds is a hyper-parameter by its name."""

import _system
import _tensorvet

Trainable = object
CLIReporter = Callback = CheckpointConfig = FailureConfig = JupyterNotebookReporter = PlacementGroupFactory = RunConfig = Stopper = TuneConfig = _system.harmless("ray.tune")
schedulers = _system.harmless("ray.tune.schedulers")
search = _system.harmless("ray.tune.search")


class _Drawn:
    """What Ray Tune draws for an entry of a configuration: a whole number between two, or something that is not known."""

    def __init__(self, low=None, high=None, kind=None):
        self.low, self.high, self.kind = low, high, kind

    def drawn(self, name):
        taken = _tensorvet.option(name, self)
        if taken is not self:
            return taken
        if self.low is not None:
            return _tensorvet.symbol(name, self.low, self.high, f"`{name}` of the search")
        return _tensorvet.unknown(f"what is drawn for `{name}`", self.kind)


def choice(categories):
    return _Drawn()


def grid_search(values):
    return _Drawn()


def sample_from(func):
    return _Drawn()


def randint(lower, upper):
    return _Drawn(lower, upper - 1)


def lograndint(lower, upper, base=10):
    return _Drawn(lower, upper - 1)


def qrandint(lower, upper, q=1):
    return _Drawn(lower, upper)


def qlograndint(lower, upper, q, base=10):
    return _Drawn(lower, upper)


def uniform(lower, upper, *more):
    return _Drawn(kind="float")


quniform = loguniform = qloguniform = randn = qrandn = uniform


def report(metrics=None, *arguments, **options):
    return None


def get_checkpoint():
    return None


def with_resources(trainable, resources):
    return trainable


def with_parameters(trainable, **given):
    def called(config):
        return trainable(config, **given)

    return called


def _drawn(config):
    """A configuration with one value for all that is drawn."""
    drawn = {}
    for name, value in config.items():
        drawn[name] = _drawn(value) if isinstance(value, dict) else value.drawn(name) if isinstance(value, _Drawn) else value
    return drawn


def _run(trainable, config):
    config = _drawn(config or {})
    # Whoever asks for a class or function of a file asks for no search in it.
    if _system.loaded("__main__") is None:
        return _system.harmless("what Ray Tune found")
    if isinstance(trainable, type):
        trial = trainable()
        trial.setup(config)
        trial.step()
    else:
        trainable(config)
    return _system.harmless("what Ray Tune found")


class Tuner:
    def __init__(self, trainable=None, *, param_space=None, tune_config=None, run_config=None):
        self._trainable, self._param_space = trainable, param_space

    def fit(self):
        return _run(self._trainable, self._param_space)

    def get_results(self):
        return _system.harmless("what Ray Tune found")


def run(run_or_experiment, *, config=None, **options):
    return _run(run_or_experiment, config)
