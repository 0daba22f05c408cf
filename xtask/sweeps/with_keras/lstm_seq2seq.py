"""Two recurrent networks, one after the other."""
from keras import layers


def run(source, target, words, embedding, units, decoder_units, sequences):
    embed = layers.Embedding(words, embedding)
    encoder = layers.LSTM(units, return_state=True)
    decoder = layers.LSTM(decoder_units, return_sequences=sequences)
    out, h, c = encoder(embed(source))
    y = decoder(embed(target), initial_state=[h, c])
    return layers.Dense(words)(y)
