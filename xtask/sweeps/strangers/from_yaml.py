"""A training script that reads its settings from a file beside it."""
import argparse
import json
from pathlib import Path

import torch
import torch.nn as nn
import yaml


def load(path):
    with open(path) as f:
        return yaml.safe_load(f)


class Encoder(nn.Module):
    def __init__(self, d_model, heads, layers, ff):
        super().__init__()
        self.layers = nn.ModuleList([
            nn.TransformerEncoderLayer(d_model=d_model, nhead=heads, dim_feedforward=ff, batch_first=True)
            for _ in range(layers)
        ])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default=str(Path(__file__).parent / "from_yaml.yaml"))
    parser.add_argument("--batch-size", type=int, default=2)
    parser.add_argument("--pool", choices=["mean", "first"], default="mean")
    args = parser.parse_args()
    cfg = load(args.config)
    model = cfg["model"]
    embed = nn.Embedding(cfg["data"]["vocab"], model["d_model"])
    encoder = Encoder(model["d_model"], model["heads"], model["layers"], ff=model["ff"])
    head = nn.Linear(model.get("head", 16), cfg["data"]["classes"])
    tokens = torch.randint(0, cfg["data"]["vocab"], (args.batch_size, cfg["data"]["length"]))
    positions = nn.Parameter(torch.zeros(model["max_len"], model["d_model"]))
    x = embed(tokens) + positions[: tokens.shape[1]]
    x = encoder(x)
    x = x.mean(1) if args.pool == "mean" else x[:, 0]
    logits = head(x)
    labels = torch.arange(args.batch_size)
    nn.functional.cross_entropy(logits, labels).backward()


if __name__ == "__main__":
    main()
