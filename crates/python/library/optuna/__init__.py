"""Optuna: a study runs its objective, and what a trial suggests is a hyper-parameter of the space."""

import _system
from optuna.exceptions import TrialPruned
from optuna.study import Study, StudyDirection, create_study, delete_study, load_study
from optuna.trial import FixedTrial, FrozenTrial, Trial, TrialState

artifacts = _system.harmless("optuna.artifacts")
distributions = _system.harmless("optuna.distributions")
importance = _system.harmless("optuna.importance")
integration = _system.harmless("optuna.integration")
logging = _system.harmless("optuna.logging")
pruners = _system.harmless("optuna.pruners")
samplers = _system.harmless("optuna.samplers")
storages = _system.harmless("optuna.storages")
terminator = _system.harmless("optuna.terminator")
visualization = _system.harmless("optuna.visualization")
