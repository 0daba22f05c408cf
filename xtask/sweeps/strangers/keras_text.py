"""A Keras text classifier with attention, by the functional interface."""
from keras import Input, Model, layers


def model():
    ids = Input((10,), batch_size=2, dtype="int32", name="ids")
    x = layers.Embedding(20, 12, name="emb")(ids)
    a = layers.MultiHeadAttention(num_heads=2, key_dim=6, name="attn")(x, x)
    x = layers.Add(name="res")([x, a])
    x = layers.LayerNormalization(name="ln")(x)
    f = layers.Dense(24, activation="gelu", name="ff1")(x)
    f = layers.Dense(12, name="ff2")(f)
    x = layers.Add(name="res2")([x, f])
    x = layers.Conv1D(8, 3, name="conv")(x)
    x = layers.GroupNormalization(groups=4, name="gn")(x)
    x = layers.MaxPooling1D(2, name="pool")(x)
    x = layers.Flatten(name="flat")(x)
    x = layers.Reshape((4, 8), name="shape")(x)
    x = layers.Permute((2, 1), name="perm")(x)
    x = layers.Bidirectional(layers.GRU(5, name="gru"), name="bi")(x)
    return Model(ids, layers.Dense(3, activation="softmax", name="out")(x))
