"""One convolution."""
from keras import Input, Model, layers


def model():
    x = Input((8, 8, 4), batch_size=2, name="x")
    y = layers.Conv2D(4, 3, name="conv")(x)
    return Model(x, y)
