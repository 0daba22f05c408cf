"""A transformer block with attention of Keras."""
from keras import Input, Model, layers


def model():
    tokens = Input((10,), batch_size=2, dtype="int32", name="tokens")
    x = layers.Embedding(20, 16, name="embed")(tokens)
    a = layers.MultiHeadAttention(4, 4, name="attend")(x, x)
    x = layers.Add(name="add1")([x, a])
    x = layers.LayerNormalization(name="norm1")(x)
    h = layers.Dense(32, activation="gelu", name="ff1")(x)
    h = layers.Dense(16, name="ff2")(h)
    x = layers.Add(name="add2")([x, h])
    x = layers.GRU(8, return_sequences=False, name="gru")(x)
    return Model(tokens, layers.Dense(3, activation="softmax", name="out")(x))
