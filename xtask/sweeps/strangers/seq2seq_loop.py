"""An encoder, attention and a decoder with a loop over its steps."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, kind, enc, dec):
        super().__init__()
        self.kind = kind
        if kind == "general":
            self.w = nn.Linear(enc, dec)
        elif kind == "concat":
            self.w = nn.Linear(enc + dec, dec)
            self.v = nn.Parameter(torch.rand(dec))
        elif kind != "dot":
            raise ValueError(kind, "is not an appropriate attention method.")

    def forward(self, state, outputs):
        if self.kind == "dot":
            scores = torch.bmm(outputs, state.unsqueeze(2)).squeeze(2)
        elif self.kind == "general":
            scores = torch.sum(self.w(outputs) * state.unsqueeze(1), dim=2)
        else:
            wide = state.unsqueeze(1).expand(-1, outputs.size(1), -1)
            scores = torch.matmul(torch.tanh(self.w(torch.cat((outputs, wide), 2))), self.v)
        return F.softmax(scores, dim=1)


class Seq2Seq(nn.Module):
    def __init__(self, src_vocab=20, tgt_vocab=15, embed=8, hidden=12, dec_hidden=None, layers=1, bidirectional=False,
                 attention="dot", bridge=True, steps=3, tie=False, start=0):
        super().__init__()
        dec_hidden = dec_hidden or hidden
        self.steps, self.start = steps, start
        self.src = nn.Embedding(src_vocab, embed)
        self.tgt = nn.Embedding(tgt_vocab, embed)
        self.encoder = nn.GRU(embed, hidden, layers, bidirectional=bidirectional, batch_first=True)
        enc_out = hidden * (2 if bidirectional else 1)
        self.bridge = nn.Linear(enc_out, dec_hidden) if bridge else None
        self.attention = Attention(attention, enc_out, dec_hidden)
        self.cell = nn.GRUCell(embed + enc_out, dec_hidden)
        self.out = nn.Linear(dec_hidden, tgt_vocab)
        if tie:
            if dec_hidden != embed:
                raise ValueError("When using the tied flag, dec_hidden must be equal to embed")
            self.out.weight = self.tgt.weight
        self.bidirectional = bidirectional

    def forward(self, source):
        outputs, state = self.encoder(self.src(source))
        if self.bidirectional:
            state = torch.cat([state[-2], state[-1]], dim=1)
        else:
            state = state[-1]
        if self.bridge is not None:
            state = torch.tanh(self.bridge(state))
        token = torch.full((source.size(0),), self.start, dtype=torch.long)
        logits = []
        for _ in range(self.steps):
            weights = self.attention(state, outputs)
            context = torch.bmm(weights.unsqueeze(1), outputs).squeeze(1)
            state = self.cell(torch.cat([self.tgt(token), context], dim=1), state)
            step = self.out(state)
            token = step.argmax(1)
            logits.append(step)
        return torch.stack(logits, dim=1)


def run(source, **kw):
    return Seq2Seq(**kw)(source)
