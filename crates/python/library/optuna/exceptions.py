"""What Optuna raises."""


class OptunaError(Exception):
    pass


class TrialPruned(OptunaError):
    pass
