"""The stem and the first blocks of Inception-v3, a sixteenth as wide."""
from keras import layers


def unit(x, filters, kernel, strides=1, padding="same"):
    x = layers.Conv2D(filters, kernel, strides=strides, padding=padding, use_bias=False)(x)
    x = layers.BatchNormalization(scale=False)(x)
    return layers.Activation("relu")(x)


def mixed_a(x, pooled):
    one = unit(x, 4, 1)
    five = unit(unit(x, 3, 1), 4, 5)
    three = unit(unit(unit(x, 4, 1), 6, 3), 6, 3)
    pool = layers.AveragePooling2D(3, strides=1, padding="same")(x)
    pool = unit(pool, pooled, 1)
    return layers.Concatenate()([one, five, three, pool])


def mixed_b(x):
    three = unit(x, 24, 3, strides=2, padding="valid")
    double = unit(unit(unit(x, 4, 1), 6, 3), 6, 3, strides=2, padding="valid")
    pool = layers.MaxPooling2D(3, strides=2)(x)
    return layers.Concatenate()([three, double, pool])


def mixed_d(x):
    three = unit(unit(x, 12, 1), 20, 3, strides=2, padding="valid")
    seven = unit(unit(unit(unit(x, 12, 1), 12, (1, 7)), 12, (7, 1)), 12, 3, strides=2, padding="valid")
    pool = layers.MaxPooling2D(3, strides=2)(x)
    return layers.Concatenate()([three, seven, pool])


def run(x, kernel1, kernel2, kernel3, padding):
    x = unit(x, 2, kernel1, strides=2, padding="valid")
    x = unit(x, 2, kernel2, padding="valid")
    x = unit(x, 4, kernel3, padding=padding)
    x = layers.MaxPooling2D(3, strides=2)(x)
    x = unit(x, 5, 1, padding="valid")
    x = unit(x, 12, 3, padding="valid")
    x = layers.MaxPooling2D(3, strides=2)(x)
    x = mixed_a(x, 2)
    x = mixed_b(x)
    x = mixed_d(x)
    x = layers.GlobalAveragePooling2D()(x)
    return layers.Dense(10)(x)
