"""Optuna: trials that can never work are not begun, or not proposed at all."""

import optuna

TRIES = 100


def prune(model, trial, params=None):
    """Ends a trial whose parameters can never work; its verdict is kept as an attribute of the trial.

    Called in the objective once everything is suggested, before anything is built.
    """
    verdict = model.judge(trial.params if params is None else params)
    if not verdict:
        trial.set_user_attr("tensorvet", verdict.why)
        raise optuna.TrialPruned(verdict.why)


def suggest(trial, space):
    """Suggests every hyper-parameter of a space, each as `distribution` says."""
    params = {}
    for name, domain in distributions_of(space).items():
        if isinstance(domain, optuna.distributions.IntDistribution):
            params[name] = trial.suggest_int(name, domain.low, domain.high, step=domain.step)
        elif isinstance(domain, optuna.distributions.FloatDistribution):
            params[name] = trial.suggest_float(name, domain.low, domain.high)
        else:
            params[name] = trial.suggest_categorical(name, domain.choices)
    return params


class Sampler(optuna.samplers.BaseSampler):
    """Another sampler, of whose proposals only those are let through that can work.

    The hyper-parameters of the space are drawn together, as `TRIES` proposals of the inner sampler at most; if none can
    work, valid vectors are looked for at random. What is no part of the space is left to the inner sampler alone.
    An objective that does not call `suggest` says by `distributions` what it asks for (`{"depth": IntDistribution(1, 8)}`).
    """

    def __init__(self, model, sampler=None, seed=None, distributions=None):
        self._model = model
        self._sampler = sampler or optuna.samplers.RandomSampler(seed)
        self._random = optuna.samplers.RandomSampler(seed)
        self._space = distributions_of(model.space)
        self._space.update(distributions or {})
        self.refused = 0

    def infer_relative_search_space(self, study, trial):
        return {**self._sampler.infer_relative_search_space(study, trial), **self._space}

    def sample_relative(self, study, trial, search_space):
        known = self._sampler.infer_relative_search_space(study, trial)
        for attempt in range(2 * TRIES):
            sampler = self._sampler if attempt < TRIES else self._random
            drawn = dict(self._sampler.sample_relative(study, trial, known))
            for name, domain in search_space.items():
                if name not in drawn:
                    drawn[name] = sampler.sample_independent(study, trial, name, domain)
            if self._model.judge(drawn):
                return drawn
            self.refused += 1
        raise ValueError(f"none of {2 * TRIES} vectors that were drawn can work: {self._model.why(self._known(drawn))}")

    def _known(self, params):
        return {name: value for name, value in params.items() if name in self._space}

    def sample_independent(self, study, trial, param_name, param_distribution):
        return self._sampler.sample_independent(study, trial, param_name, param_distribution)

    def reseed_rng(self):
        self._sampler.reseed_rng()
        self._random.reseed_rng()

    def before_trial(self, study, trial):
        self._sampler.before_trial(study, trial)

    def after_trial(self, study, trial, state, values):
        self._sampler.after_trial(study, trial, state, values)


def distributions_of(space):
    """What each hyper-parameter of a space is drawn from: of a range of real numbers any number."""
    drawn = {name: distribution(values) for name, values in space.domains.items()}
    return {**drawn, **{name: optuna.distributions.FloatDistribution(*ends) for name, ends in space.ranges.items()}}


def distribution(values):
    """The distribution that `suggest_int` or `suggest_categorical` would make of a domain."""
    if all(type(value) is int for value in values):
        steps = {after - before for before, after in zip(values, values[1:])} or {1}
        if len(steps) == 1:
            return optuna.distributions.IntDistribution(values[0], values[-1], step=steps.pop())
    return optuna.distributions.CategoricalDistribution(values)
