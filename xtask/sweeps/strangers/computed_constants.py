"""Module constants that are computed from one another and changed."""
import torch
from torch import nn

EMBED = 16
HEADS = 4
LAYERS = 2
HEAD_DIM = EMBED // HEADS
VOCAB = 10
assert EMBED % HEADS == 0
if LAYERS > 2:
    EMBED = EMBED // 2
    HEAD_DIM = EMBED // HEADS
MLP = {"hidden": 4 * EMBED, "out": EMBED, "rate": 0.1}
SIZES = [EMBED] * LAYERS


class Config:
    dropout = 0.1
    bias = True
    window = 8
    half = window // 2


class Layer(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.q = nn.Linear(size, HEADS * HEAD_DIM, bias=Config.bias)
        self.o = nn.Linear(16, MLP["out"])
        self.drop = nn.Dropout(MLP["rate"])
        self.pos = nn.Parameter(torch.zeros(Config.window, HEAD_DIM))

    def forward(self, x):
        b, t, d = x.shape
        q = self.q(x).view(b, t, HEADS, HEAD_DIM).transpose(1, 2)
        q = q + self.pos[:t]
        y = q.transpose(1, 2).reshape(b, t, -1)
        return x + self.drop(self.o(y))


net = nn.Sequential(nn.Embedding(VOCAB, EMBED), *[Layer(s) for s in SIZES])
LENGTH = 6
BATCH = 2
tokens = torch.arange(LENGTH).repeat(BATCH, 1)
for step in range(2):
    y = net(tokens)
    BATCH = BATCH
    y = y[:, Config.half:]
    y.mean().backward()
    assert y.numel() > 0
