"""Two recurrent networks, one after the other."""
import torch
from torch import nn


class Seq2Seq(nn.Module):
    def __init__(self, words, embedding, hidden, layers, decoder_hidden, decoder_layers, batch_first):
        super().__init__()
        self.embed = nn.Embedding(words, embedding)
        self.encoder = nn.LSTM(embedding, hidden, layers, batch_first=batch_first)
        self.decoder = nn.LSTM(embedding, decoder_hidden, decoder_layers, batch_first=batch_first)
        self.out = nn.Linear(hidden, words)

    def forward(self, source, target):
        _, state = self.encoder(self.embed(source))
        output, _ = self.decoder(self.embed(target), state)
        return self.out(output)


def run(source, target, words, embedding, hidden, layers, decoder_hidden, decoder_layers, batch_first):
    model = Seq2Seq(words, embedding, hidden, layers, decoder_hidden, decoder_layers, batch_first)
    return model(source, target)
