"""Attention and a dense layer in Keras."""
from keras import layers


def run(x, y, heads, key, units, axis):
    a = layers.MultiHeadAttention(heads, key)(x, y)
    x = layers.Add()([x, a])
    x = layers.LayerNormalization(axis=axis)(x)
    x = layers.Dense(units)(x)
    return layers.GlobalAveragePooling1D()(x)
