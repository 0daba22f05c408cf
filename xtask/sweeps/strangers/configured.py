"""A training script whose settings are a dictionary, lists and constants at its top."""
import torch
from torch import nn

IMAGE = 16
CHANNELS = [8, 16]
KERNEL = (3, 3)
CONFIG = {
    "classes": 4,
    "widths": [12, 12],
    "dropout": 0.1,
    "norm": "batch",
    "head": {"hidden": 24, "act": "relu"},
}


class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        layers, last = [], 3
        for width in CHANNELS:
            layers += [nn.Conv2d(last, width, KERNEL, padding=(KERNEL[0] // 2, KERNEL[1] // 2)), nn.MaxPool2d(2)]
            if config["norm"] == "batch":
                layers.append(nn.BatchNorm2d(width))
            elif config["norm"] == "group":
                layers.append(nn.GroupNorm(8, width))
            else:
                raise ValueError(f"unknown norm {config['norm']}")
            last = width
        self.body = nn.Sequential(*layers)
        first, second = config["widths"]
        self.head = nn.Sequential(
            nn.Flatten(), nn.Linear(16 * 4 * 4, first), nn.Linear(second, config["head"]["hidden"]),
            nn.Dropout(config["dropout"]), nn.Linear(24, config["classes"]))

    def forward(self, x):
        return self.head(self.body(x))


def main():
    net = Net(CONFIG)
    x = torch.zeros(2, 3, IMAGE, IMAGE)
    y = torch.tensor([0, 3])
    loss = nn.CrossEntropyLoss()(net(x), y)
    loss.backward()


if __name__ == "__main__":
    main()
