"""Two inputs, element-wise products, dot, concatenation on an axis."""
from keras import Input, Model, layers


def model():
    a = Input((6, 4), batch_size=2, name="a")
    b = Input((6, 4), batch_size=2, name="b")
    x = layers.Conv1D(8, 2, padding="same", name="ca")(a)
    y = layers.SeparableConv1D(8, 3, padding="same", name="cb")(b)
    d = layers.Dot(axes=2, name="dot")([x, y])
    c = layers.Concatenate(axis=-1, name="cat")([x, y])
    m = layers.Maximum(name="max")([x, y])
    s = layers.Softmax(axis=-1, name="soft")(d)
    z = layers.Dot(axes=(2, 1), name="mix")([s, y])
    z = layers.Subtract(name="sub")([z, m])
    z = layers.Concatenate(axis=2, name="cat2")([z, c])
    z = layers.BatchNormalization(axis=-1, name="bn")(z)
    z = layers.GlobalAveragePooling1D(name="gap")(z)
    z = layers.Reshape((2, 12), name="rs")(z)
    return Model([a, b], layers.SimpleRNN(3, name="rnn")(z))
