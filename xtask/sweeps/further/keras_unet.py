"""A U-net in Keras."""
from keras import layers


def run(x, width, kernel, padding, up):
    a = layers.Conv2D(width, kernel, padding=padding)(x)
    b = layers.MaxPooling2D(2)(a)
    b = layers.Conv2D(width * 2, kernel, padding=padding)(b)
    c = layers.UpSampling2D(up)(b)
    c = layers.Concatenate()([c, a])
    c = layers.Conv2D(width, kernel, padding=padding)(c)
    return layers.Conv2D(1, 1)(c)
