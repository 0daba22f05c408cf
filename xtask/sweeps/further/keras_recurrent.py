"""A recurrent stack in Keras."""
from keras import layers


def run(x, units, sequences, kernel, bidirectional, repeat):
    x = layers.Conv1D(4, kernel)(x)
    rnn = layers.GRU(units, return_sequences=sequences)
    if bidirectional:
        rnn = layers.Bidirectional(rnn)
    x = rnn(x)
    x = layers.RepeatVector(repeat)(x)
    x = layers.LSTM(3)(x)
    return layers.Dense(2)(x)
