"""Dilated causal convolutions with gates and skips."""
import torch
from torch import nn
from torch.nn import functional as F


class CausalConv1d(nn.Conv1d):
    def __init__(self, cin, cout, kernel_size, dilation=1, causal=True, **kw):
        self.causal = causal
        self.left = (kernel_size - 1) * dilation
        super().__init__(cin, cout, kernel_size, dilation=dilation, padding=0, **kw)

    def forward(self, x):
        if self.causal:
            x = F.pad(x, (self.left, 0))
        return super().forward(x)


class WaveNet(nn.Module):
    def __init__(self, channels=8, skip=8, kernel=2, stacks=1, layers=3, base=2, causal=True, gate=True, crop=False,
                 quant=16, head=8):
        super().__init__()
        self.embed = nn.Embedding(quant, channels)
        self.dilations = [base ** i for _ in range(stacks) for i in range(layers)]
        self.gate = gate
        self.crop = crop
        self.convs = nn.ModuleList(
            CausalConv1d(channels, 2 * channels if gate else channels, kernel, d, causal) for d in self.dilations
        )
        self.skips = nn.ModuleList(nn.Conv1d(channels, skip, 1) for _ in self.dilations)
        self.outs = nn.ModuleList(nn.Conv1d(channels, channels, 1) for _ in self.dilations)
        self.head = nn.Conv1d(head, quant, 1)

    def forward(self, wave):
        x = self.embed(wave).transpose(1, 2)
        total = 0
        for conv, skip, out in zip(self.convs, self.skips, self.outs):
            y = conv(x)
            if self.gate:
                a, b = y.chunk(2, dim=1)
                y = torch.tanh(a) * torch.sigmoid(b)
            s = skip(y)
            if self.crop and torch.is_tensor(total):
                total = total[:, :, -s.size(2):]
            total = total + s
            x = out(y) + (x[:, :, -y.size(2):] if self.crop else x)
        return self.head(F.relu(total))


def run(wave, **kw):
    return WaveNet(**kw)(wave)
