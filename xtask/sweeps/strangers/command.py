"""A training program with click, and a YAML-like dictionary in the module."""
import click
import torch
from torch import nn

HIDDEN = 16
DEFAULTS = dict(act="relu", norm=True)


def build(width, depth, act, heads):
    layers = [nn.Linear(8, width)]
    for i in range(depth):
        layers += [nn.Linear(width, width // (2 if i == 0 else 1)), getattr(nn, act)()]
        width = width // 2 if i == 0 else width
    layers.append(nn.Linear(HIDDEN, 4 * heads))
    return nn.Sequential(*layers)


@click.command()
@click.option("--width", type=int, default=32, show_default=True)
@click.option("--depth", default=2)
@click.option("--act", type=click.Choice(["ReLU", "GELU", "Tanh"]), default="ReLU")
@click.option("--heads", default=2, type=click.IntRange(1, 4))
@click.option("--batch-size", default=4)
def main(width, depth, act, heads, batch_size):
    model = build(width, depth, act, heads)
    x = torch.randn(batch_size, 8)
    y = model(x).view(batch_size, heads, -1)
    target = torch.randint(0, 4, (4, heads))
    loss = nn.functional.cross_entropy(y.flatten(0, 1), target.flatten())
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
