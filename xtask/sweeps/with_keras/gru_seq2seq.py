"""Two recurrent networks, one after the other."""
from keras import Input, Model, layers


def model():
    source = Input((5, 3), batch_size=2, name="source")
    target = Input((4, 3), batch_size=2, name="target")
    out, h = layers.GRU(4, return_state=True, name="encoder")(source)
    y = layers.GRU(4, return_sequences=True, name="decoder")(target, initial_state=h)
    return Model([source, target], layers.Dense(7, name="out")(y))
