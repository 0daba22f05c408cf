"""AlexNet, a thirty-second as wide."""
import keras
from keras import layers


def run(x, kernel1, stride1, kernel2, pool, padding, features):
    x = layers.Conv2D(2, kernel1, strides=stride1, padding=padding, activation="relu")(x)
    x = layers.MaxPooling2D(pool, strides=2)(x)
    x = layers.Conv2D(6, kernel2, padding="same", activation="relu")(x)
    x = layers.MaxPooling2D(pool, strides=2)(x)
    x = layers.Conv2D(12, 3, padding="same", activation="relu")(x)
    x = layers.Conv2D(8, 3, padding="same", activation="relu")(x)
    x = layers.Conv2D(8, 3, padding="same", activation="relu")(x)
    x = layers.MaxPooling2D(pool, strides=2)(x)
    x = layers.Flatten()(x)
    x = layers.Reshape((features,))(x)
    x = layers.Dense(16, activation="relu")(x)
    return layers.Dense(10)(x)
