"""Flags, numbers and words in each other's place, as a search over `0` and `1` or over words gives them."""
import torch
from torch import nn
from torch.nn import functional as F


class Tagger(nn.Module):
    def __init__(self, kind="lstm", bias=True, batch_first=False, bidirectional=False, dropout=0.0, embed=4, hidden=4, head=4, dtype="float32"):
        super().__init__()
        self.embed = nn.Embedding(10, embed)
        cell = {"lstm": nn.LSTM, "gru": nn.GRU, "rnn": nn.RNN}[kind]
        self.rnn = cell(embed, hidden, 1, bias=bias, batch_first=batch_first, bidirectional=bidirectional, dropout=dropout)
        self.head = nn.Linear(head, 3, bias=bias)
        self.to(getattr(torch, dtype))

    def forward(self, ids):
        x, _ = self.rnn(self.embed(ids))
        return self.head(x)


def run(ids, corners=False, mode="bilinear", **kw):
    scores = Tagger(**kw)(ids)
    image = scores.float()[None]
    if image.dim() == 3:
        image = image[None]
    return F.interpolate(image, scale_factor=2, mode=mode, align_corners=corners)
