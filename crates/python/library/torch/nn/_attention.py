"""Attention."""

import _tensorvet
from _tensorvet import made, require
from torch import _sums
from torch._rules import accept, kind_of, one_kind, since
from torch._views import transpose
from torch._versions import ARGUMENTS, later

__later__ = later(ARGUMENTS)


def scaled_dot_product_attention(query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0, is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False):
    tensors = (query, key, value)
    for tensor in tensors:
        require("query, key and value have a length and features", tensor.ndim >= 2, "shape", *tensors)
    one_kind("scaled_dot_product_attention", *tensors)
    accept("scaled_dot_product_attention", "hf", query)
    require("query and key have as many features", query.shape[-1] == key.shape[-1], "shape", query, key)
    require("key and value are equally long", key.shape[-2] == value.shape[-2], "shape", key, value)
    require("a causal mask takes the place of another", not (is_causal and attn_mask is not None), "value")
    scores = [query.shape[-2], key.shape[-2]]
    if enable_gqa:
        require("grouped heads have a batch and heads", query.ndim >= 3 and key.ndim >= 3 and value.ndim >= 3, "shape", *tensors)
        heads = query.shape[-3]
        for tensor in (key, value):
            require("the heads of the query are a multiple of the others", tensor.shape[-3] > 0 and heads % tensor.shape[-3] == 0, "shape", query, tensor)
        fronts = [[*tensor.shape[:-3], heads] for tensor in tensors]
    else:
        fronts = [list(tensor.shape[:-2]) for tensor in tensors]
    batch = list(_tensorvet.broadcast("f32", [made("f32", front) for front in fronts], "scaled_dot_product_attention").shape)
    if attn_mask is not None:
        require("the mask is bool or has the type of the query", kind_of(attn_mask) in ("bool", kind_of(query)), "type", query, attn_mask)
        joint = _tensorvet.broadcast("f32", [made("f32", batch + scores), attn_mask], "scaled_dot_product_attention")
        batch = list(joint.shape[:-2])
        require("the mask broadcasts to the scores", list(joint.shape[-2:]) == scores, "shape", query, key, attn_mask)
    length, features = query.shape[-2], value.shape[-1]
    if query.ndim == 4 and len(batch) == 2 and query._strides is not None and transpose(query, 1, 2)._strides is None:
        # Heads that lie behind positions do so in the result.
        return transpose(made(kind_of(query), [batch[0], length, batch[1], features]), 1, 2)
    result = made(kind_of(query), [*batch, length, features])
    return _sums.attended("scaled_dot_product_attention", query, key, value, attn_mask, is_causal or enable_gqa or dropout_p != 0.0, scale, result)


def multi_head_attention(query, key, value, embed_dim, num_heads, key_padding_mask, need_weights, attn_mask, average_attn_weights, is_causal, key_features, value_features):
    """Attention of several heads, length first: the output and the weights."""
    batched = query.ndim == 3
    one_kind("multi_head_attention", query, key, value)
    require("the query has a length, a batch and features, or no batch", query.ndim == 3 or query.ndim == 2 and since(1, 11), "shape", query, raises=AssertionError)
    require("key and value have as many axes as the query", key.ndim == query.ndim and value.ndim == query.ndim, "shape", query, key, value, raises=AssertionError)
    if key_padding_mask is not None:
        require("the padding mask has a batch if the query has", key_padding_mask.ndim == (2 if batched else 1), "shape", key_padding_mask, raises=AssertionError)
    length, batch, features = query.shape[0], query.shape[1] if batched else 1, query.shape[-1]
    source = key.shape[0]
    require("the query has `embed_dim` features", features == embed_dim, "shape", query, raises=AssertionError)
    require("the features divide into the heads", embed_dim % num_heads == 0, "value", query)
    require("key and value agree in length and batch", key.shape[:-1] == value.shape[:-1], "shape", key, value, raises=AssertionError)
    require("query and key have one batch", not batched or key.shape[1] == batch, "shape", query, key)
    require("the key has as many features as the weight takes", key.shape[-1] == key_features, "shape", key, raises=AssertionError)
    require("the value has as many features as the weight takes", value.shape[-1] == value_features, "shape", value, raises=AssertionError)
    require("a causal hint comes with a mask", not is_causal or attn_mask is not None, "value", query)
    if attn_mask is not None:
        accept("multi_head_attention", "bhf", attn_mask, raises=AssertionError)
        wanted = (length, source) if attn_mask.ndim == 2 else (batch * num_heads, length, source)
        require("the mask has the sizes of the scores", attn_mask.ndim in (2, 3) and tuple(attn_mask.shape) == wanted, "shape", query, attn_mask)
    if key_padding_mask is not None:
        accept("multi_head_attention", "bhf", key_padding_mask, raises=AssertionError)
        require("the padding mask has an entry per key", key_padding_mask.shape[-1] == source and (not batched or key_padding_mask.shape[0] == batch), "shape", key, key_padding_mask, raises=AssertionError)
    kind = kind_of(query)
    output = made(kind, [length, batch, embed_dim] if batched else [length, embed_dim])
    if not need_weights:
        return output, None
    heads = [] if average_attn_weights else [num_heads]
    return output, made(kind, ([batch] if batched else []) + heads + [length, source])


def multi_head_attention_forward(query: Tensor, key: Tensor, value: Duck, embed_dim_to_check: int, num_heads: int, in_proj_weight, in_proj_bias: Tensor | None, bias_k: Tensor | None, bias_v: Tensor | None, add_zero_attn, dropout_p: float, out_proj_weight: Tensor, out_proj_bias: Tensor | None, training=True, key_padding_mask: Duck | None = None, need_weights=True, attn_mask: Duck | None = None, use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None, v_proj_weight=None, static_k: Tensor | None = None, static_v: Tensor | None = None, average_attn_weights=True, is_causal=False):
    features = embed_dim_to_check
    if use_separate_proj_weight:
        weights = (q_proj_weight, k_proj_weight, v_proj_weight)
        for weight in weights:
            require("separate weights are given for query, key and value", weight is not None and weight.ndim == 2 and weight.shape[0] == features, "shape", query, raises=AssertionError)
    else:
        require("one weight holds those of query, key and value", in_proj_weight is not None and tuple(in_proj_weight.shape) == (3 * features, features), "shape", query)
        one_kind("multi_head_attention_forward", query, in_proj_weight)
        weights = (in_proj_weight, in_proj_weight, in_proj_weight)
    for extra in (bias_k, bias_v):
        if extra is not None:
            require("what is added to key and value has their features", extra.shape[-1] == features, "shape", query, extra)
    one_kind("multi_head_attention_forward", query, out_proj_weight, *[each for each in (in_proj_bias, out_proj_bias, bias_k, bias_v, *weights) if each is not None])
    if in_proj_bias is not None:
        require("the bias has a value per output", tuple(in_proj_bias.shape) == (3 * features,), "shape", in_proj_bias)
    require("the output weight maps features to features", tuple(out_proj_weight.shape) == (features, features), "shape", out_proj_weight)
    if out_proj_bias is not None:
        require("the bias has a value per output", out_proj_bias.ndim == 0 or tuple(out_proj_bias.shape) == (features,), "shape", out_proj_bias)
    output, scores = multi_head_attention(query, key, value, features, num_heads, key_padding_mask, need_weights, attn_mask, average_attn_weights, is_causal, weights[1].shape[1], weights[2].shape[1])
    extra = (0 if bias_k is None else 1) + (1 if add_zero_attn else 0)
    if scores is not None and extra:
        scores = made(kind_of(scores), [*scores.shape[:-1], scores.shape[-1] + extra])
    return output, scores
