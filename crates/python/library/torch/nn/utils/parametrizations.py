"""Weights that are computed of others: they keep their shapes, and have other names in the state."""


def computed(module):
    object.__setattr__(module, "_translates", True)
    return module


def weight_norm(module, name="weight", dim=0):
    return computed(module)


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    return computed(module)


def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    return computed(module)
