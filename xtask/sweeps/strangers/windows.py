"""Windowed attention with shifts, as Swin has it."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def window_partition(x, ws):
    B, H, W, C = x.shape
    x = x.view(B, H // ws, ws, W // ws, ws, C)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, ws, ws, C)


def window_reverse(windows, ws, H, W):
    B = int(windows.shape[0] / (H * W / ws / ws))
    x = windows.view(B, H // ws, W // ws, ws, ws, -1)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(B, H, W, -1)


class Block(nn.Module):
    def __init__(self, dim, resolution, heads, ws=4, shift=0, pad=False):
        super().__init__()
        self.resolution, self.ws, self.shift, self.pad = resolution, ws, shift, pad
        if min(resolution) <= ws:
            self.shift = 0
            self.ws = min(resolution)
        assert 0 <= self.shift < self.ws, "shift_size must in 0-window_size"
        self.norm = nn.LayerNorm(dim)
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        table = torch.zeros((2 * self.ws - 1) * (2 * self.ws - 1), heads)
        self.table = nn.Parameter(table)
        if self.shift > 0:
            H, W = resolution
            img_mask = torch.zeros((1, H, W, 1))
            cnt = 0
            for h in (slice(0, -self.ws), slice(-self.ws, -self.shift), slice(-self.shift, None)):
                for w in (slice(0, -self.ws), slice(-self.ws, -self.shift), slice(-self.shift, None)):
                    img_mask[:, h, w, :] = cnt
                    cnt += 1
            m = window_partition(img_mask, self.ws).view(-1, self.ws * self.ws)
            mask = m.unsqueeze(1) - m.unsqueeze(2)
            mask = mask.masked_fill(mask != 0, -100.0).masked_fill(mask == 0, 0.0)
        else:
            mask = None
        self.register_buffer("mask", mask)

    def forward(self, x):
        H, W = self.resolution
        B, L, C = x.shape
        assert L == H * W, "input feature has wrong size"
        shortcut = x
        x = self.norm(x).view(B, H, W, C)
        if self.pad:
            x = F.pad(x, (0, 0, 0, (self.ws - W % self.ws) % self.ws, 0, (self.ws - H % self.ws) % self.ws))
        _, Hp, Wp, _ = x.shape
        if self.shift > 0:
            x = torch.roll(x, shifts=(-self.shift, -self.shift), dims=(1, 2))
        w = window_partition(x, self.ws).view(-1, self.ws * self.ws, C)
        w, _ = self.attn(w, w, w)
        x = window_reverse(w.view(-1, self.ws, self.ws, C), self.ws, Hp, Wp)
        if self.shift > 0:
            x = torch.roll(x, shifts=(self.shift, self.shift), dims=(1, 2))
        x = x[:, :H, :W, :].contiguous().view(B, H * W, C)
        return shortcut + x


class PatchMerging(nn.Module):
    def __init__(self, resolution, dim):
        super().__init__()
        self.resolution = resolution
        self.reduction = nn.Linear(4 * dim, 2 * dim, bias=False)

    def forward(self, x):
        H, W = self.resolution
        B, L, C = x.shape
        assert H % 2 == 0 and W % 2 == 0, f"x size ({H}*{W}) are not even."
        x = x.view(B, H, W, C)
        x = torch.cat([x[:, 0::2, 0::2], x[:, 1::2, 0::2], x[:, 0::2, 1::2], x[:, 1::2, 1::2]], -1)
        return self.reduction(x.view(B, -1, 4 * C))


def run(x, patch=2, dim=8, heads=2, ws=4, shift=0, pad=False, img=16, depth=2):
    embed = nn.Conv2d(3, dim, patch, patch)
    res = (img // patch, img // patch)
    y = embed(x).flatten(2).transpose(1, 2)
    layers = nn.ModuleList()
    for i in range(depth):
        layers.append(Block(dim, res, heads, ws, 0 if i % 2 == 0 else shift, pad))
    layers.append(PatchMerging(res, dim))
    for layer in layers:
        y = layer(y)
    return y
