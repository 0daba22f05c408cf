"""A small convolutional network, as one would write it for a search: everything that may be chosen is an argument."""

from torch import nn


class Net(nn.Module):
    def __init__(self, kernel1=3, stride1=1, width1=8, pool=2, kernel2=3, stride2=1, width2=16, groups=1, heads=2):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width1, kernel1, stride=stride1),
            nn.ReLU(),
            nn.MaxPool2d(pool),
            nn.Conv2d(width1, width2, kernel2, stride=stride2, groups=groups),
            nn.ReLU(),
        )
        self.attention = nn.MultiheadAttention(width2, heads, batch_first=True)
        self.classify = nn.Linear(width2, 10)

    def forward(self, x):
        x = self.features(x).flatten(2).transpose(1, 2)
        x, _ = self.attention(x, x, x)
        return self.classify(x.mean(1))
