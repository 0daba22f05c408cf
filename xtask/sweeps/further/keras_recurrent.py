"""A recurrent stack in Keras."""
from keras import Input, Model, layers


def model():
    x = Input((5, 2), batch_size=1, name="x")
    y = layers.Conv1D(4, 3, name="conv")(x)
    y = layers.GRU(2, name="gru")(y)
    y = layers.RepeatVector(3, name="repeat")(y)
    y = layers.LSTM(3, name="lstm")(y)
    return Model(x, layers.Dense(2, name="out")(y))
