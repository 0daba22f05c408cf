"""Dense layers on something reshaped."""
from keras import Input, Model, layers


def model():
    x = Input((4, 6), batch_size=2, name="x")
    y = layers.Dense(3, name="dense")(x)
    y = layers.Reshape((12,), name="reshape")(y)
    y = layers.Dense(2, name="out")(y)
    return Model(x, y)
