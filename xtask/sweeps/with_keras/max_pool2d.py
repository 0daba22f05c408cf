"""One pooling."""
from keras import Input, Model, layers


def model():
    x = Input((6, 6, 3), batch_size=2, name="x")
    y = layers.MaxPooling2D(2, name="pool")(x)
    return Model(x, y)
