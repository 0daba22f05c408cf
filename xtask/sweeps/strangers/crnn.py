"""Speech: convolutions over a spectrogram, a recurrent layer over time, and labels that are aligned by the loss."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Config:
    channels: int = 8
    kernel: int = 3
    stride: int = 2
    hidden: int = 8
    layers: int = 1
    bidirectional: bool = True
    mels: int = 16
    labels: int = 6
    projected: int = 0


class Speech(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        pad = config.kernel // 2
        self.front = nn.Sequential(
            nn.Conv2d(1, config.channels, config.kernel, stride=(config.stride, 2), padding=pad),
            nn.BatchNorm2d(config.channels),
            nn.ReLU(),
            nn.Conv2d(config.channels, config.channels, config.kernel, stride=(config.stride, 1), padding=pad, groups=config.channels),
        )
        bands = config.mels // (config.stride * config.stride)
        self.rnn = nn.LSTM(config.channels * bands, config.hidden, config.layers, bidirectional=config.bidirectional, batch_first=True, proj_size=config.projected)
        size = config.projected or config.hidden
        self.head = nn.Linear(size * (2 if config.bidirectional else 1), config.labels + 1)

    def forward(self, spectrogram):
        x = self.front(spectrogram.unsqueeze(1))
        batch, channels, bands, frames = x.shape
        x, _ = self.rnn(x.permute(0, 3, 1, 2).reshape(batch, frames, channels * bands))
        return self.head(x).log_softmax(-1)


def run(spectrogram, target=3, blank=0, **kw):
    scores = Speech(Config(**kw))(spectrogram)
    batch, frames, _ = scores.shape
    targets = torch.ones((batch, target), dtype=torch.long)
    return F.ctc_loss(scores.transpose(0, 1), targets, (frames,) * batch, (target,) * batch, blank=blank)
