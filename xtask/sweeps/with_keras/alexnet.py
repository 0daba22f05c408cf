"""AlexNet, a thirty-second as wide."""
from keras import Input, Model, layers


def model():
    x = Input((64, 64, 3), batch_size=1, name="x")
    y = layers.Conv2D(2, 11, strides=4, activation="relu", name="conv1")(x)
    y = layers.MaxPooling2D(3, strides=2, name="pool1")(y)
    y = layers.Conv2D(6, 5, padding="same", activation="relu", name="conv2")(y)
    y = layers.MaxPooling2D(3, strides=2, name="pool2")(y)
    y = layers.Conv2D(12, 3, padding="same", activation="relu", name="conv3")(y)
    y = layers.Conv2D(8, 3, padding="same", activation="relu", name="conv4")(y)
    y = layers.MaxPooling2D(2, strides=2, name="pool3")(y)
    y = layers.Reshape((8,), name="flat")(y)
    y = layers.Dense(16, activation="relu", name="fc1")(y)
    return Model(x, layers.Dense(10, name="fc2")(y))
