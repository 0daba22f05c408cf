"""Vision transformers: pictures as words."""

from collections import OrderedDict

import _tensorvet
import torch
from torch import nn

_KNOWN = {"vit_b_16": (16, 12, 12, 768, 3072), "vit_b_32": (32, 12, 12, 768, 3072), "vit_l_16": (16, 24, 16, 1024, 4096), "vit_l_32": (32, 24, 16, 1024, 4096), "vit_h_14": (14, 32, 16, 1280, 5120)}


class EncoderBlock(nn.Module):
    def __init__(self, heads, width, mlp, dropout, attention_dropout):
        super().__init__()
        self.ln_1 = nn.LayerNorm(width, eps=1e-6)
        self.self_attention = nn.MultiheadAttention(width, heads, dropout=attention_dropout, batch_first=True)
        self.dropout = nn.Dropout(dropout)
        self.ln_2 = nn.LayerNorm(width, eps=1e-6)
        self.mlp = nn.Sequential(nn.Linear(width, mlp), nn.GELU(), nn.Dropout(dropout), nn.Linear(mlp, width), nn.Dropout(dropout))

    def forward(self, input):
        x = self.ln_1(input)
        x, _ = self.self_attention(x, x, x, need_weights=False)
        x = self.dropout(x) + input
        return x + self.mlp(self.ln_2(x))


class Encoder(nn.Module):
    def __init__(self, length, layers, heads, width, mlp, dropout, attention_dropout):
        super().__init__()
        self.pos_embedding = nn.Parameter(torch.empty(1, length, width))
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.Sequential(OrderedDict([("encoder_layer_" + str(place), EncoderBlock(heads, width, mlp, dropout, attention_dropout)) for place in range(layers)]))
        self.ln = nn.LayerNorm(width, eps=1e-6)

    def forward(self, input):
        return self.ln(self.layers(self.dropout(input + self.pos_embedding)))


class VisionTransformer(nn.Module):
    def __init__(self, image_size, patch_size, num_layers, num_heads, hidden_dim, mlp_dim, dropout=0.0, attention_dropout=0.0, num_classes=1000, representation_size=None, **options):
        super().__init__()
        _tensorvet.require("patches cover the picture", image_size % patch_size == 0, "value")
        self.image_size, self.patch_size, self.hidden_dim, self.num_classes = image_size, patch_size, hidden_dim, num_classes
        self.conv_proj = nn.Conv2d(3, hidden_dim, patch_size, patch_size)
        self.class_token = nn.Parameter(torch.zeros(1, 1, hidden_dim))
        self.seq_length = (image_size // patch_size) ** 2 + 1
        self.encoder = Encoder(self.seq_length, num_layers, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout)
        self.heads = nn.Sequential(OrderedDict([("head", nn.Linear(hidden_dim, num_classes))]))

    def forward(self, x):
        n, _, height, width = x.shape
        _tensorvet.require("the picture has the size that the model was made for", height == self.image_size and width == self.image_size, "shape", x)
        side = self.image_size // self.patch_size
        x = self.conv_proj(x).reshape(n, self.hidden_dim, side * side).permute(0, 2, 1)
        x = torch.cat([self.class_token.expand(n, -1, -1), x], dim=1)
        return self.heads(self.encoder(x)[:, 0])


def build(name, trained, **options):
    return VisionTransformer(options.pop("image_size", 224), *_KNOWN[name], **options)
