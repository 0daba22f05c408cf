"""Studies: of all trials one is run, with whatever it is suggested."""

import _system
from optuna.exceptions import TrialPruned
from optuna.trial import Trial

StudyDirection = _system.harmless("optuna.study.StudyDirection")


class Study:
    best_params = best_trial = best_trials = best_value = trials = user_attrs = _system.harmless("what a study found")

    def optimize(self, func, n_trials=None, timeout=None, n_jobs=1, catch=(), callbacks=None, gc_after_trial=False, show_progress_bar=False):
        # Whoever asks for a class or function of a file asks for no search in it.
        if _system.loaded("__main__") is None:
            return None
        try:
            func(Trial())
        except TrialPruned:
            pass

    def ask(self, fixed_distributions=None):
        return Trial()

    def tell(self, trial, values=None, state=None, skip_if_finished=False):
        return None

    def enqueue_trial(self, params, user_attrs=None, skip_if_exists=False):
        return None

    def set_user_attr(self, key, value):
        return None

    def get_trials(self, deepcopy=True, states=None):
        return self.trials

    def trials_dataframe(self, *arguments, **options):
        return self.trials

    def stop(self):
        return None


def create_study(*, storage=None, sampler=None, pruner=None, study_name=None, direction=None, load_if_exists=False, directions=None):
    return Study()


def load_study(*, study_name=None, storage=None, sampler=None, pruner=None):
    return Study()


def delete_study(*, study_name=None, storage=None):
    return None
