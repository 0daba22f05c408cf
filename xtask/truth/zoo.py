"""The models of bars 2 to 4: each architecture once, in full size and narrow, with random weights.

`build(name, narrow)` promises a `Subject`: a module in evaluation mode whose `forward` takes the example
tensors by position, and for every input which axes are symbolic, under which name and in which range.
"""

from dataclasses import dataclass, field

import torch
import torchvision
import transformers
from torch import nn

VOCABULARY = 99


@dataclass
class Input:
    """One graph input; `axes` names its symbolic axes, `high` bounds token ids (exclusive)."""

    name: str
    example: torch.Tensor
    axes: dict[int, str]
    high: int | None = None


@dataclass
class Subject:
    module: nn.Module
    inputs: list[Input]
    output: str
    # Smallest sizes of the symbols for which the architecture is defined (one entry per symbol).
    least: dict[str, int]
    # Concrete sizes that run; observations and mutants use the first, whose sizes no weight has: a mistaken axis shows.
    bindings: list[dict[str, int]] = field(default_factory=list)


def build(name: str, narrow: bool) -> Subject:
    torch.manual_seed(0)
    torch.backends.mha.set_fastpath_enabled(False)  # its fused attention has no ONNX counterpart
    subject = MODELS[name](narrow)
    subject.module.eval()
    with torch.no_grad():
        spread_statistics(subject.module)
    return subject


def spread_statistics(module: nn.Module) -> None:
    """Fresh normalisation layers are the identity; give them statistics as a trained model has."""
    for layer in module.modules():
        if isinstance(layer, nn.BatchNorm2d):
            layer.running_mean.normal_(0, 0.1)
            layer.running_var.uniform_(0.5, 1.5)
            layer.weight.uniform_(0.5, 1.5)
            layer.bias.normal_(0, 0.1)


def image_input(size: int, axes: dict[int, str], batch: int = 2) -> Input:
    return Input("image", torch.randn(batch, 3, size, size), axes)


ALL_AXES = {0: "N", 2: "H", 3: "W"}


def divide_channels(module: nn.Module, by: int, keep: tuple[int, ...] = (3,)) -> nn.Module:
    """A convolutional network with every channel count divided: the same graph, hundredths of the weights."""

    def part(channels: int) -> int:
        return channels if channels in keep else max(1, channels // by)

    for parent in list(module.modules()):
        for name, layer in list(parent.named_children()):
            if isinstance(layer, nn.Conv2d):
                groups = part(layer.in_channels) if layer.groups == layer.in_channels else layer.groups
                narrow = nn.Conv2d(
                    part(layer.in_channels), part(layer.out_channels), layer.kernel_size, layer.stride,
                    layer.padding, layer.dilation, groups, layer.bias is not None,
                )
            elif isinstance(layer, nn.BatchNorm2d):
                narrow = nn.BatchNorm2d(part(layer.num_features), layer.eps)
            elif isinstance(layer, nn.Linear):
                narrow = nn.Linear(part(layer.in_features), 10)
            else:
                continue
            setattr(parent, name, narrow)
    return module


def resnet50(narrow: bool) -> Subject:
    module = torchvision.models.resnet50(weights=None)
    size = 224
    if narrow:
        module, size = divide_channels(module, 32), 33
    return Subject(module, [image_input(size, ALL_AXES)], "logits", {"N": 1, "H": 33, "W": 33}, [
        {"N": 3, "H": size, "W": size}, {"N": 2, "H": 65, "W": 48}])


def inception_v3(narrow: bool) -> Subject:
    module = torchvision.models.inception_v3(weights=None, init_weights=False, aux_logits=False)
    size = 299
    if narrow:
        module, size = divide_channels(module, 16), 75
    return Subject(module, [image_input(size, ALL_AXES)], "logits", {"N": 1, "H": 75, "W": 75}, [
        {"N": 3, "H": size, "W": size}, {"N": 2, "H": 91, "W": 80}])


def mobilenet_v3_large(narrow: bool) -> Subject:
    if narrow:
        module, size = torchvision.models.mobilenet_v3_large(weights=None, width_mult=0.05, num_classes=10), 33
    else:
        module, size = torchvision.models.mobilenet_v3_large(weights=None), 224
    return Subject(module, [image_input(size, ALL_AXES)], "logits", {"N": 1, "H": 33, "W": 33}, [
        {"N": 3, "H": size, "W": size}, {"N": 2, "H": 65, "W": 48}])


def vit_b_16(narrow: bool) -> Subject:
    """The architecture asserts its image size, so only the batch is symbolic."""
    if narrow:
        size = 32
        module = torchvision.models.VisionTransformer(
            image_size=size, patch_size=8, num_layers=3, num_heads=2, hidden_dim=16, mlp_dim=32, num_classes=10)
    else:
        module, size = torchvision.models.vit_b_16(weights=None), 224
    nn.init.normal_(module.heads.head.weight, std=0.1)  # a fresh classifier is all zeros
    return Subject(module, [image_input(size, {0: "N"})], "logits", {"N": 1}, [{"N": 3}, {"N": 2}])


def convnext_tiny(narrow: bool) -> Subject:
    if narrow:
        blocks = torchvision.models.convnext.CNBlockConfig
        settings = [blocks(8, 12, 3), blocks(12, 16, 3), blocks(16, 24, 9), blocks(24, None, 3)]
        module, size = torchvision.models.ConvNeXt(settings, num_classes=10), 33
    else:
        module, size = torchvision.models.convnext_tiny(weights=None), 224
    for name, parameter in module.named_parameters():
        if name.endswith("layer_scale"):
            nn.init.uniform_(parameter, 0.5, 1.0)  # the initial 1e-6 would hide every block
    return Subject(module, [image_input(size, ALL_AXES)], "logits", {"N": 1, "H": 33, "W": 33}, [
        {"N": 3, "H": size, "W": size}, {"N": 2, "H": 65, "W": 48}])


class Logits(nn.Module):
    """A transformers model as a plain function of tensors, without cache and output classes."""

    def __init__(self, model: nn.Module, names: list[str], output: str):
        super().__init__()
        self.model, self.names, self.output = model, names, output
        self.options = {"use_cache": False} if getattr(model.config, "use_cache", None) is not None else {}

    def forward(self, *tensors: torch.Tensor) -> torch.Tensor:
        return self.model(**dict(zip(self.names, tensors)), **self.options)[self.output]


def token_input(name: str, high: int, sequence: str = "sequence", length: int = 7) -> Input:
    return Input(name, torch.randint(1, high, (2, length)), {0: "batch", 1: sequence}, high)


def mask_input(name: str = "attention_mask", sequence: str = "sequence", length: int = 7) -> Input:
    return Input(name, torch.ones(2, length, dtype=torch.int64), {0: "batch", 1: sequence}, 2)


def text(model: nn.Module, inputs: list[Input], output: str) -> Subject:
    symbols = {symbol for given in inputs for symbol in given.axes.values()}
    first = {"batch": 3, "sequence": 7} | ({"target": 5} if "target" in symbols else {})
    second = {"batch": 2, "sequence": 11} | ({"target": 4} if "target" in symbols else {})
    module = Logits(model, [given.name for given in inputs], output)
    return Subject(module, inputs, output, {symbol: 2 for symbol in symbols}, [first, second])


def bert(narrow: bool) -> Subject:
    sizes = dict(vocab_size=VOCABULARY, hidden_size=16, num_attention_heads=2, intermediate_size=32,
                 max_position_embeddings=32, num_hidden_layers=2) if narrow else dict(num_hidden_layers=4)
    config = transformers.BertConfig(attn_implementation=ATTENTION, **sizes)
    return text(transformers.BertModel(config, add_pooling_layer=True), [
        token_input("input_ids", config.vocab_size), mask_input(),
        Input("token_type_ids", torch.zeros(2, 7, dtype=torch.int64), {0: "batch", 1: "sequence"}, 2),
    ], "last_hidden_state")


def gpt2(narrow: bool) -> Subject:
    sizes = dict(vocab_size=VOCABULARY, n_embd=16, n_head=2, n_positions=32, n_layer=2) if narrow else dict(n_layer=4)
    config = transformers.GPT2Config(attn_implementation=ATTENTION, bos_token_id=1, eos_token_id=2, **sizes)
    return text(transformers.GPT2LMHeadModel(config), [token_input("input_ids", config.vocab_size), mask_input()],
                "logits")


def t5(narrow: bool) -> Subject:
    sizes = dict(vocab_size=VOCABULARY, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2) if narrow else dict(
        vocab_size=1000, d_model=64, d_kv=16, d_ff=128, num_layers=2, num_heads=4)
    config = transformers.T5Config(attn_implementation=ATTENTION, decoder_start_token_id=0, **sizes)
    return text(transformers.T5ForConditionalGeneration(config), [
        token_input("input_ids", config.vocab_size), mask_input(),
        token_input("decoder_input_ids", config.vocab_size, "target", 5),
    ], "logits")


def llama(narrow: bool) -> Subject:
    sizes = dict(vocab_size=VOCABULARY, hidden_size=16, intermediate_size=32, num_hidden_layers=2,
                 num_attention_heads=4, num_key_value_heads=2) if narrow else dict(
        vocab_size=1000, hidden_size=128, intermediate_size=344, num_hidden_layers=4,
        num_attention_heads=8, num_key_value_heads=4)
    config = transformers.LlamaConfig(attn_implementation=ATTENTION, max_position_embeddings=64, **sizes)
    return text(transformers.LlamaForCausalLM(config), [token_input("input_ids", config.vocab_size), mask_input()],
                "logits")


ATTENTION = "eager"

MODELS = {
    "resnet50": resnet50,
    "inception_v3": inception_v3,
    "mobilenet_v3_large": mobilenet_v3_large,
    "vit_b_16": vit_b_16,
    "convnext_tiny": convnext_tiny,
    "bert": bert,
    "gpt2": gpt2,
    "t5": t5,
    "llama": llama,
}
