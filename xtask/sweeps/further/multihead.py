"""The encoder of a transformer, as the library has it."""
import torch
from torch import nn
from torch.nn import functional as F


def run(x, features, heads, hidden, layers, batch_first):
    layer = nn.TransformerEncoderLayer(features, heads, hidden, batch_first=batch_first)
    encoder = nn.TransformerEncoder(layer, layers)
    return encoder(x)
