"""A layer that joins."""
from keras import layers


def run(x, y, axis):
    return layers.Concatenate(axis=axis)([x, y])
