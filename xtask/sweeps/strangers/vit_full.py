"""A vision transformer with checks of its own, learned positions and a choice of pooling."""
import math
import torch
import torch.nn as nn
import torch.nn.functional as F


def pair(t):
    return t if isinstance(t, tuple) else (t, t)


class Attention(nn.Module):
    def __init__(self, dim, heads=8, dim_head=None, dropout=0.0, qkv_bias=False):
        super().__init__()
        if dim_head is None:
            assert dim % heads == 0, "dim must be divisible by heads"
            dim_head = dim // heads
        inner = dim_head * heads
        self.heads = heads
        self.scale = dim_head ** -0.5
        self.to_qkv = nn.Linear(dim, inner * 3, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)
        self.proj = nn.Identity() if heads == 1 and dim_head == dim else nn.Linear(inner, dim)

    def forward(self, x):
        b, n, _ = x.shape
        qkv = self.to_qkv(x).chunk(3, dim=-1)
        q, k, v = map(lambda t: t.view(b, n, self.heads, -1).transpose(1, 2), qkv)
        attn = torch.matmul(q, k.transpose(-1, -2)) * self.scale
        attn = self.drop(attn.softmax(dim=-1))
        out = torch.matmul(attn, v).transpose(1, 2).reshape(b, n, -1)
        return self.proj(out)


class ViT(nn.Module):
    def __init__(self, *, image_size, patch_size, dim, depth=1, heads=4, dim_head=None, pool="cls", channels=3,
                 num_classes=5, mlp_ratio=2, dropout=0.0, frozen_size=None):
        super().__init__()
        ih, iw = pair(image_size)
        ph, pw = pair(patch_size)
        if ih % ph != 0 or iw % pw != 0:
            raise ValueError(f"image {ih}x{iw} cannot be cut into patches of {ph}x{pw}")
        if pool not in {"cls", "mean"}:
            raise ValueError("pool type must be either cls (cls token) or mean (mean pooling)")
        num_patches = (ih // ph) * (iw // pw)
        self.patch = (ph, pw)
        self.embed = nn.Linear(channels * ph * pw, dim)
        self.pos = nn.Parameter(torch.randn(1, num_patches + 1, dim))
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.blocks = nn.ModuleList([
            nn.ModuleList([
                nn.LayerNorm(dim), Attention(dim, heads, dim_head, dropout), nn.LayerNorm(dim),
                nn.Sequential(nn.Linear(dim, dim * mlp_ratio), nn.GELU(), nn.Linear(dim * mlp_ratio, dim)),
            ]) for _ in range(depth)
        ])
        self.pool = pool
        self.head = nn.Linear(dim, num_classes)

    def forward(self, img):
        b, c, h, w = img.shape
        ph, pw = self.patch
        x = img.reshape(b, c, h // ph, ph, w // pw, pw).permute(0, 2, 4, 3, 5, 1).flatten(3).flatten(1, 2)
        x = self.embed(x)
        x = torch.cat([self.cls.expand(b, -1, -1), x], dim=1)
        x = x + self.pos[:, : x.size(1)]
        for norm1, attn, norm2, mlp in self.blocks:
            x = x + attn(norm1(x))
            x = x + mlp(norm2(x))
        x = x.mean(dim=1) if self.pool == "mean" else x[:, 0]
        return self.head(x)


def run(x, image_size=16, **kw):
    return ViT(image_size=image_size, **kw)(x)
