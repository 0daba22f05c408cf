"""What came with which version of PyTorch, for who means an older one: names of layers and functions, and arguments.

From the release notes; none of the older versions was run.
"""

from torch._rules import since

# Of `torch.nn`, and of `torch.nn.functional`.
LAYERS = {"Mish": (1, 9), "ReflectionPad3d": (1, 10), "CircularPad1d": (2, 1), "CircularPad2d": (2, 1), "CircularPad3d": (2, 1), "ZeroPad1d": (2, 1), "ZeroPad3d": (2, 1), "RMSNorm": (2, 4)}
FUNCTIONS = {"mish": (1, 9), "scaled_dot_product_attention": (2, 0), "rms_norm": (2, 4)}
# By the class or function, and the name.
ARGUMENTS = {
    "LSTM.proj_size": (1, 8),
    "MultiheadAttention.batch_first": (1, 9),
    "CrossEntropyLoss.label_smoothing": (1, 10),
    "cross_entropy.label_smoothing": (1, 10),
    "GELU.approximate": (1, 12),
    "gelu.approximate": (1, 12),
    "LayerNorm.bias": (2, 1),
    "scaled_dot_product_attention.enable_gqa": (2, 5),
}
for _layer in ("Transformer", "TransformerEncoderLayer", "TransformerDecoderLayer"):
    ARGUMENTS.update({_layer + ".batch_first": (1, 9), _layer + ".norm_first": (1, 10), _layer + ".bias": (2, 1)})


def later(table):
    """What of a table the version that is meant does not have yet."""
    return {name: version for name, version in table.items() if not since(*version)}
