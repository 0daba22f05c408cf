"""The stem and a block of Inception-v3, a sixteenth as wide."""
from keras import Input, Model, layers


def model():
    x = Input((75, 75, 3), batch_size=1, name="x")
    y = layers.Conv2D(2, 3, strides=2, name="stem1")(x)
    y = layers.Conv2D(2, 3, name="stem2")(y)
    y = layers.Conv2D(4, 3, padding="same", name="stem3")(y)
    y = layers.MaxPooling2D(3, strides=2, name="pool1")(y)
    y = layers.Conv2D(5, 1, name="stem4")(y)
    y = layers.Conv2D(12, 3, name="stem5")(y)
    y = layers.MaxPooling2D(3, strides=2, name="pool2")(y)
    one = layers.Conv2D(4, 1, padding="same", name="one")(y)
    five = layers.Conv2D(3, 1, padding="same", name="five1")(y)
    five = layers.Conv2D(4, 5, padding="same", name="five2")(five)
    pool = layers.AveragePooling2D(3, strides=1, padding="same", name="pool3")(y)
    pool = layers.Conv2D(2, 1, padding="same", name="pooled")(pool)
    y = layers.Concatenate(name="join")([one, five, pool])
    three = layers.Conv2D(24, 3, strides=2, name="three")(y)
    pool = layers.MaxPooling2D(3, strides=2, name="pool4")(y)
    y = layers.Concatenate(name="join2")([three, pool])
    y = layers.GlobalAveragePooling2D(name="mean")(y)
    return Model(x, layers.Dense(10, name="out")(y))
