"""A training script configured by nested dataclasses."""
from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

import torch
import torch.nn as nn


class Pool(Enum):
    MEAN = "mean"
    MAX = "max"
    CLS = "cls"


@dataclass(frozen=True)
class ModelConfig:
    dim: int = 16
    heads: int = 4
    layers: int = 2
    mlp_ratio: float = 2.0
    pool: Pool = Pool.MEAN
    norm: Literal["pre", "post"] = "pre"

    @property
    def head_dim(self) -> int:
        if self.dim % self.heads:
            raise ValueError(f"{self.dim=} {self.heads=}")
        return self.dim // self.heads


@dataclass
class DataConfig:
    length: int = 10
    vocab: int = 20
    batch: int = 3


@dataclass
class Config:
    model: ModelConfig = field(default_factory=ModelConfig)
    data: DataConfig = field(default_factory=DataConfig)
    max_len: int = 12


class Model(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        m = cfg.model
        self.cfg = cfg
        self.tok = nn.Embedding(cfg.data.vocab, m.dim)
        self.pos = nn.Parameter(torch.zeros(cfg.max_len, m.dim))
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(m.head_dim * m.heads, m.heads, int(m.dim * m.mlp_ratio), batch_first=True, norm_first=m.norm == "pre")
            for _ in range(m.layers))
        self.head = nn.Linear(16, 2)

    def forward(self, t):
        x = self.tok(t) + self.pos[: t.size(1)]
        for l in self.layers:
            x = l(x)
        if self.cfg.model.pool is Pool.MEAN:
            x = x.mean(1)
        elif self.cfg.model.pool is Pool.MAX:
            x = x.amax(dim=1)
        else:
            x = x[:, 0]
        return self.head(x)


def main(cfg: Config):
    net = Model(cfg)
    t = torch.zeros(cfg.data.batch, cfg.data.length, dtype=torch.long)
    nn.CrossEntropyLoss()(net(t), torch.tensor([0, 1, 1])).backward()


def run(dim=16, heads=4, layers=2, mlp_ratio=2.0, pool="mean", norm="pre", length=10, batch=3, max_len=12):
    cfg = Config(model=ModelConfig(dim, heads, layers, mlp_ratio, Pool(pool), norm), data=DataConfig(length=length, batch=batch))
    main(dataclasses.replace(cfg, max_len=max_len))
