"""A small classifier with strides, dilations and a squeeze."""
from keras import Input, Model, layers


def model():
    x = Input((12, 12, 3), batch_size=2, name="x")
    y = layers.Conv2D(8, 3, padding="same", activation="relu", name="stem")(x)
    y = layers.BatchNormalization(name="norm")(y)
    y = layers.Conv2D(8, 3, groups=1, padding="same", name="mid")(y)
    s = layers.GlobalAveragePooling2D(keepdims=True, name="squeeze")(y)
    s = layers.Conv2D(8, 1, activation="sigmoid", name="excite")(s)
    y = layers.Multiply(name="scale")([y, s])
    y = layers.MaxPooling2D(2, name="pool")(y)
    y = layers.Reshape((-1, 36), name="rows")(y)
    y = layers.Dropout(0.2, name="drop")(y)
    return Model(x, layers.Dense(4, name="out")(y))
