"""A U-net in Keras."""
from keras import Input, Model, layers


def model():
    x = Input((8, 8, 1), batch_size=1, name="x")
    a = layers.Conv2D(2, 3, padding="same", name="down")(x)
    b = layers.MaxPooling2D(2, name="pool")(a)
    b = layers.Conv2D(4, 3, padding="same", name="bottom")(b)
    c = layers.UpSampling2D(2, name="up")(b)
    c = layers.Concatenate(name="join")([c, a])
    return Model(x, layers.Conv2D(1, 1, name="out")(c))
