"""nn.TransformerEncoder with a table of activations and sinusoids for positions."""
import math
from dataclasses import dataclass, field
from typing import Optional, Tuple

import torch
from torch import nn, Tensor


@dataclass
class Config:
    vocab: int = 30
    d_model: int = 16
    nhead: int = 4
    ff: int = 32
    layers: int = 2
    dropout: float = 0.1
    activation: str = "relu"
    max_len: int = 12
    norm_first: bool = False
    tie: bool = False
    head_dim: Optional[int] = None

    def __post_init__(self):
        if self.d_model % 2 != 0:
            raise ValueError(f"Cannot use sin/cos positional encoding with odd dim (got dim={self.d_model})")
        if self.head_dim is None:
            self.head_dim = self.d_model


class PositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int):
        super().__init__()
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe.unsqueeze(0))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.pe[:, : x.size(1), :]


class Model(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.embed = nn.Embedding(cfg.vocab, cfg.d_model)
        self.pos = PositionalEncoding(cfg.d_model, cfg.max_len)
        layer = nn.TransformerEncoderLayer(cfg.d_model, cfg.nhead, cfg.ff, cfg.dropout, cfg.activation,
                                           batch_first=True, norm_first=cfg.norm_first)
        self.encoder = nn.TransformerEncoder(layer, cfg.layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(cfg.head_dim)
        self.head = nn.Linear(cfg.head_dim, cfg.vocab, bias=False)
        if cfg.tie:
            self.head.weight = self.embed.weight

    def forward(self, tokens: Tensor, causal: bool = False) -> Tensor:
        x = self.pos(self.embed(tokens))
        mask = nn.Transformer.generate_square_subsequent_mask(tokens.size(1)) if causal else None
        x = self.encoder(x, mask=mask)
        return self.head(self.norm(x))


def run(tokens, causal=False, **kw):
    return Model(Config(**kw))(tokens, causal)
