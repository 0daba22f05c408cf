"""A conformer block: GLU, depthwise convolution with 'same', group norm, half-step feed-forward."""
import torch
from torch import nn


class Swish(nn.Module):
    def forward(self, x):
        return x * x.sigmoid()


class ConvModule(nn.Module):
    def __init__(self, dim, expansion, kernel, norm, groups, causal=False, stride=1):
        super().__init__()
        inner = dim * expansion
        self.ln = nn.LayerNorm(dim)
        padding = "same" if not causal else kernel - 1
        self.causal = causal
        self.up = nn.Conv1d(dim, inner * 2, 1)
        self.glu = nn.GLU(dim=1)
        self.dw = nn.Conv1d(inner, inner, kernel, stride=stride, padding=padding, groups=inner)
        match norm:
            case "batch":
                self.norm = nn.BatchNorm1d(inner)
            case "group":
                self.norm = nn.GroupNorm(groups, inner)
            case "instance" | "inst":
                self.norm = nn.InstanceNorm1d(inner, affine=True)
            case "layer":
                self.norm = nn.LayerNorm(inner)
            case _:
                raise KeyError(norm)
        self.down = nn.Conv1d(inner, dim, kernel_size=(1,))

    def forward(self, x):
        y = self.ln(x).mT
        y = self.glu(self.up(y))
        y = self.dw(y)
        if self.causal:
            y = y[..., : x.shape[1]]
        y = self.down(Swish()(self.norm(y)))
        return y.mT


class Conformer(nn.Module):
    def __init__(self, dim=8, heads=2, dim_head=None, ff_mult=2, expansion=2, kernel=3, norm="batch", groups=4, causal=False, stride=1, sub=4):
        super().__init__()
        self.sub = nn.Sequential(nn.Conv2d(1, dim, 3, 2), nn.ReLU(), nn.Conv2d(dim, dim, 3, 2), nn.ReLU())
        self.proj = nn.Linear(dim * (((20 - 1) // 2 - 1) // 2), dim)
        self.ff = nn.Sequential(nn.Linear(dim, dim * ff_mult), Swish(), nn.Linear(dim * ff_mult, dim))
        self.attn = nn.MultiheadAttention(embed_dim=dim, num_heads=heads, kdim=dim_head, vdim=dim_head, batch_first=True)
        self.conv = ConvModule(dim, expansion, kernel, norm, groups, causal, stride)

    def forward(self, x):
        y = self.sub(x.unsqueeze(1))
        b, c, t, f = y.size()
        y = self.proj(y.transpose(1, 2).contiguous().view(b, t, c * f))
        y = y + 0.5 * self.ff(y)
        a, w = self.attn(y, y, y, need_weights=False)
        assert w is None
        y = y + a
        return y + self.conv(y)


def run(x, **kw):
    return Conformer(**kw)(x)
