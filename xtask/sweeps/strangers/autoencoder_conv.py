"""A convolutional autoencoder: the loss compares what comes out with what went in."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, widths, kernel, stride, padding):
        super().__init__()
        blocks, last = [], 1
        for w in widths:
            blocks.append(nn.Sequential(nn.Conv2d(last, w, kernel, stride, padding), nn.LeakyReLU(0.1)))
            last = w
        self.blocks = nn.Sequential(*blocks)

    def forward(self, x):
        return self.blocks(x)


class Decoder(nn.Module):
    def __init__(self, widths, kernel, stride, padding, output_padding):
        super().__init__()
        chain = list(reversed(widths)) + [1]
        self.blocks = nn.Sequential(*[
            nn.ConvTranspose2d(a, b, kernel, stride, padding, output_padding) for a, b in zip(chain, chain[1:])
        ])

    def forward(self, z):
        return self.blocks(z)


class AutoEncoder(nn.Module):
    def __init__(self, widths=(4, 8), kernel=3, stride=2, padding=1, output_padding=1, bottleneck=0, side=4, loss="mse"):
        super().__init__()
        self.encoder = Encoder(widths, kernel, stride, padding)
        self.decoder = Decoder(widths, kernel, stride, padding, output_padding)
        self.bottleneck = None
        if bottleneck:
            flat = widths[-1] * side * side
            self.bottleneck = nn.Sequential(nn.Flatten(), nn.Linear(flat, bottleneck), nn.Linear(bottleneck, flat),
                                            nn.Unflatten(1, (widths[-1], side, side)))
        self.loss = {"mse": F.mse_loss, "bce": F.binary_cross_entropy_with_logits, "l1": F.l1_loss}[loss]

    def forward(self, x):
        z = self.encoder(x)
        if self.bottleneck is not None:
            z = self.bottleneck(z)
        return self.loss(self.decoder(z), x)


def run(x, **kw):
    return AutoEncoder(**kw)(x)
