"""A layer that adds."""
from keras import Input, Model, layers


def model():
    x = Input((3, 4), batch_size=2, name="x")
    y = Input((3, 4), batch_size=2, name="y")
    return Model([x, y], layers.Add(name="add")([x, y]))
