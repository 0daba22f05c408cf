"""VGG, a sixteenth as wide."""
from keras import Input, Model, layers


def model():
    x = Input((32, 32, 3), batch_size=1, name="x")
    y = x
    for block in range(4):
        for number in range(2):
            y = layers.Conv2D(4 + 4 * block, 3, padding="same", activation="relu", name=f"conv{block}{number}")(y)
        y = layers.MaxPooling2D(2, name=f"pool{block}")(y)
    y = layers.Flatten(name="flatten")(y)
    return Model(x, layers.Dense(10, name="out")(y))
