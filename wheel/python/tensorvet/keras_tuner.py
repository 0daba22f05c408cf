"""KerasTuner: what can never work is refused before a model is built."""

import functools

import keras_tuner


def guard(model, on_refused=None):
    """A decorator for `build(hp)`: hyper-parameters that can never work end the trial at once.

    The values that `hp` has are judged before `build` is run; what `build` asks for the first time is judged after it.
    """

    def decorate(build):
        @functools.wraps(build)
        def guarded(hp, *arguments, **options):
            refuse(hp)
            built = build(hp, *arguments, **options)
            refuse(hp)
            return built

        def refuse(hp):
            if set(model.space.names) <= set(hp.values):
                verdict = model.judge(hp.values)
                if not verdict:
                    if on_refused is not None:
                        on_refused(dict(hp.values), verdict)
                    raise keras_tuner.errors.FailedTrialError(verdict.why)

        return guarded

    return decorate
