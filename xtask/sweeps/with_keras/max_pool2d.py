"""One pooling."""
from keras import layers


def run(x, pool, stride, padding):
    layer = layers.MaxPooling2D(pool, strides=stride, padding=padding)
    return layer(x)
