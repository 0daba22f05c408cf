"""LSTM, GRU or plain RNN, both ways, with projections and packed heads."""
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, cell="lstm", vocab=20, embed=8, hidden=6, layers=1, bidirectional=False, proj_size=0,
                 dropout=0.0, batch_first=True, head_in=6, tags=4, use_last=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab, embed, padding_idx=0)
        kinds = {"lstm": nn.LSTM, "gru": nn.GRU, "rnn": nn.RNN}
        kwargs = dict(num_layers=layers, bidirectional=bidirectional, batch_first=batch_first, dropout=dropout)
        if proj_size:
            kwargs["proj_size"] = proj_size
        self.rnn = kinds[cell](embed, hidden, **kwargs)
        self.is_lstm = cell == "lstm"
        self.directions = 2 if bidirectional else 1
        self.layers = layers
        self.hidden = hidden
        self.use_last = use_last
        self.head = nn.Linear(head_in, tags)

    def forward(self, tokens, lengths=None):
        x = self.embedding(tokens)
        b = x.size(0)
        h0 = torch.zeros(self.layers * self.directions, b, self.hidden)
        if self.is_lstm:
            out, (h, c) = self.rnn(x)
        else:
            out, h = self.rnn(x, h0)
        if self.use_last:
            return self.head(h[-1])
        return self.head(out)


def run(tokens, **config):
    return Tagger(**config)(tokens)
