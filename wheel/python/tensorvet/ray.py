"""Ray Tune: a search algorithm whose proposals that can never work are drawn anew."""

from ray.tune.search import Searcher as _Searcher

TRIES = 100


class Searcher(_Searcher):
    """Another search algorithm, of whose proposals only those are let through that can work.

    A proposal that cannot is told to the inner algorithm as a trial with an error, so that it does not wait for it.
    """

    def __init__(self, model, searcher):
        super().__init__(metric=searcher.metric, mode=searcher.mode)
        self._model = model
        self._searcher = searcher
        # The names that the inner algorithm knows trials by.
        self._names = {}
        self.refused = 0

    def set_search_properties(self, metric, mode, config, **spec):
        return self._searcher.set_search_properties(metric, mode, config, **spec)

    def suggest(self, trial_id):
        for attempt in range(TRIES):
            # The inner algorithm knows each attempt by a name of its own, the one that is taken by the trial's.
            name = trial_id if attempt == 0 else f"{trial_id}_{attempt}"
            config = self._searcher.suggest(name)
            if not isinstance(config, dict) or self._model.judge(config):
                self._names[trial_id] = name
                return config
            self.refused += 1
            self._searcher.on_trial_complete(name, error=True)
        # Ray asks again after None, for ever if there is nothing that can work.
        census = self._model.census()
        if census["invalid"] == census["total"]:
            cause = census["causes"][0]
            why = f"{cause['operator']}: {cause['requirement']} ({cause['place']})"
            raise ValueError(f"no combination of these hyper-parameters can work; most break {why}")
        return None

    def on_trial_result(self, trial_id, result):
        self._searcher.on_trial_result(self._names.get(trial_id, trial_id), result)

    def on_trial_complete(self, trial_id, result=None, error=False):
        self._searcher.on_trial_complete(self._names.pop(trial_id, trial_id), result, error)

    def save(self, checkpoint_path):
        self._searcher.save(checkpoint_path)

    def restore(self, checkpoint_path):
        self._searcher.restore(checkpoint_path)
