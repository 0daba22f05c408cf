"""Ray, as far as it tunes: `ray.tune` runs what is to be tuned here and now."""

import _system
from ray import tune

air = _system.harmless("ray.air")
train = _system.harmless("ray.train")


def init(*arguments, **options):
    return None


def shutdown():
    return None


def is_initialized():
    return True
