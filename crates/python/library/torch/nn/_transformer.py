"""Transformers."""

import _system
import _tensorvet
from _tensorvet import made, require
from torch import _types
from torch._rules import kind_of, one_kind
from torch.nn import functional as F
from torch.nn._attention import multi_head_attention
from torch.nn._containers import ModuleList
from torch.nn._layers import Dropout
from torch.nn._module import Module, parameter
from torch.nn._weighted import LayerNorm, Linear
from torch._versions import ARGUMENTS, later

__later__ = later(ARGUMENTS)


class MultiheadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int, dropout: float = 0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim: int | None = None, vdim: int | None = None, batch_first=False, device=None, dtype: dtype | None = None):
        super().__init__()
        require("`embed_dim` and `num_heads` are positive", embed_dim > 0 and num_heads > 0, "value", raises=ValueError)
        require("the features divide into the heads", embed_dim % num_heads == 0, "value", raises=AssertionError)
        self.embed_dim, self.num_heads, self.batch_first = embed_dim, num_heads, batch_first
        self.kdim, self.vdim = embed_dim if kdim is None else kdim, embed_dim if vdim is None else vdim
        self._extra = (1 if add_bias_kv else 0) + (1 if add_zero_attn else 0)
        self._is_one = self.kdim == embed_dim and self.vdim == embed_dim
        if self._is_one:
            self.in_proj_weight = parameter([3 * embed_dim, embed_dim], dtype)
        else:
            self.q_proj_weight = parameter([embed_dim, embed_dim], dtype)
            self.k_proj_weight, self.v_proj_weight = parameter([embed_dim, self.kdim], dtype), parameter([embed_dim, self.vdim], dtype)
        self.in_proj_bias = parameter([3 * embed_dim], dtype) if bias else None
        self.bias_k, self.bias_v = [parameter([1, 1, embed_dim], dtype) if add_bias_kv else None for _ in range(2)]
        self.out_proj = Linear(embed_dim, embed_dim, bias, dtype=dtype)

    def forward(self, query: Duck, key: Duck, value: Tensor, key_padding_mask: Tensor | None = None, need_weights=True, attn_mask: Tensor | None = None, average_attn_weights=True, is_causal=False):
        swap = self.batch_first and query.ndim == 3
        one_kind("MultiheadAttention", self.out_proj.weight, query)
        if swap:
            for tensor in (key, value):
                require("key and value have as many axes as the query", tensor.ndim == 3, "shape", query, tensor, raises=AssertionError)
            query, key, value = [tensor.transpose(0, 1) for tensor in (query, key, value)]
        output, weights = multi_head_attention(query, key, value, self.embed_dim, self.num_heads, key_padding_mask, need_weights, attn_mask, average_attn_weights, is_causal, self.kdim, self.vdim)
        if weights is not None and self._extra:
            weights = made(kind_of(weights), [*weights.shape[:-1], weights.shape[-1] + self._extra])
        output = _tensorvet.derived(output, query, key, value, self.out_proj.weight)
        return (output.transpose(0, 1) if swap else output), weights


class _Layer(Module):
    """What encoder and decoder layers have in common: attention, two linear maps, normalisation."""

    def _build(self, d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias, dtype):
        if isinstance(activation, str):
            require("`activation` is 'relu', 'gelu' or a function", activation in ("relu", "gelu"), "value")
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, dtype=dtype)
        if isinstance(self, TransformerDecoderLayer):
            self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, dtype=dtype)
        self.linear1, self.linear2 = Linear(d_model, dim_feedforward, bias, dtype=dtype), Linear(dim_feedforward, d_model, bias, dtype=dtype)
        self.norm1, self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype), LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
        self.dropout = Dropout(dropout)
        self.activation = F.relu if isinstance(activation, str) else activation

    def _feed(self, x):
        if _tensorvet.decided(callable(self.activation)) is False:
            raise TypeError("'" + type(self.activation).__name__ + "' object is not callable")
        return self.linear2(self.dropout(F.relu(self.linear1(x))))


class TransformerEncoderLayer(_Layer):
    def __init__(self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1, activation="relu", layer_norm_eps: float = 1e-5, batch_first=False, norm_first=False, bias=True, device=None, dtype: dtype | None = None):
        super().__init__()
        self._build(d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias, dtype)

    def forward(self, src: Duck, src_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None, is_causal=False):
        x, _ = self.self_attn(src, src, src, src_key_padding_mask, False, src_mask, is_causal=is_causal)
        return self.norm2(self._feed(self.norm1(x)))


class TransformerDecoderLayer(_Layer):
    def __init__(self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1, activation="relu", layer_norm_eps: float = 1e-5, batch_first=False, norm_first=False, bias=True, device=None, dtype: dtype | None = None):
        super().__init__()
        self._build(d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias, dtype)
        self.norm3 = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)

    def forward(self, tgt: Duck, memory: Duck, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None, tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None, tgt_is_causal=False, memory_is_causal=False):
        x, _ = self.self_attn(tgt, tgt, tgt, tgt_key_padding_mask, False, tgt_mask, is_causal=tgt_is_causal)
        x, _ = self.multihead_attn(self.norm1(x), memory, memory, memory_key_padding_mask, False, memory_mask, is_causal=memory_is_causal)
        return self.norm3(self._feed(self.norm2(x)))


class TransformerEncoder(Module):
    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers, self.norm = ModuleList([_system.deep_copy(encoder_layer) for _ in range(num_layers)]), norm

    def forward(self, src: Tensor, mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None, is_causal=None):
        # The first layer is asked how the sequences lie, so there must be one.
        self.layers[0]
        for layer in self.layers:
            src = layer(src, mask, src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(Module):
    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers, self.norm = ModuleList([_system.deep_copy(decoder_layer) for _ in range(num_layers)]), norm

    def forward(self, tgt: Duck, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None, tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None, tgt_is_causal=None, memory_is_causal=False):
        self.layers[0]
        for layer in self.layers:
            tgt = layer(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Module):
    def __init__(self, d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6, num_decoder_layers: int = 6, dim_feedforward: int = 2048, dropout: float = 0.1, activation="relu", custom_encoder=None, custom_decoder=None, layer_norm_eps: float = 1e-5, batch_first=False, norm_first=False, bias=True, device=None, dtype: dtype | None = None):
        super().__init__()
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias, device, dtype)
        self.encoder = TransformerEncoder(TransformerEncoderLayer(*options), num_encoder_layers, LayerNorm(d_model, dtype=dtype)) if custom_encoder is None else custom_encoder
        self.decoder = TransformerDecoder(TransformerDecoderLayer(*options), num_decoder_layers, LayerNorm(d_model, dtype=dtype)) if custom_decoder is None else custom_decoder
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def forward(self, src: Duck, tgt: Tensor, src_mask: Tensor | None = None, tgt_mask: Duck | None = None, memory_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None, tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None, src_is_causal=None, tgt_is_causal=None, memory_is_causal=False):
        batch = 0 if self.batch_first else 1
        require("both sequences have a batch, or none has", src.ndim == tgt.ndim, "shape", src, tgt, raises=AssertionError)
        if src.ndim == 3:
            require("both sequences have one batch", src.shape[batch] == tgt.shape[batch], "shape", src, tgt)
        require("the features are `d_model`", src.shape[-1] == self.d_model and tgt.shape[-1] == self.d_model, "shape", src, tgt)
        memory = self.encoder(src, src_mask, src_key_padding_mask)
        return self.decoder(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)

    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        return made(_types.DEFAULT["float"] if dtype is None else dtype._kind, [sz, sz])
