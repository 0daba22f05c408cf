"""Calls to start from: PyTorch's own sample and error inputs, and a few of our own, all as source text."""

import itertools
import random
import sys
import types
import unittest
import warnings

import torch

from torch_handwritten import HANDWRITTEN

# PyTorch's samples import this package, of which they use no more than the name of a class.
sys.modules.setdefault("expecttest", types.SimpleNamespace(TestCase=unittest.TestCase, assert_expected_inline=None))

# No public interface, or tensors that are not strided.
LEFT_OUT = ("_", "jiterator", "masked.", "sparse.", "torch.", "to_sparse", "hash_tensor", "nonzero_static", "max_pool2d_with_indices_backward")
# Half-precision complex numbers, of which PyTorch itself says that they are experimental.
LEFT_OUT += ("chalf",)
LEFT_OUT += ("native_", "unsafe_", "resize_", "nn.functional.linear_cross_entropy", "nn.LinearCrossEntropyLoss", "nn.Lazy", "linalg.matrix_sqrth", "linalg.polar")
SPECIAL = {"__getitem__", "__radd__", "__rand__", "__rdiv__", "__rmatmul__", "__rmod__", "__rmul__", "__ror__", "__rpow__", "__rsub__", "__rxor__"}
SIGNS = {"__radd__": "+", "__rand__": "&", "__rdiv__": "/", "__rmatmul__": "@", "__rmod__": "%", "__rmul__": "*", "__ror__": "|", "__rpow__": "**", "__rsub__": "-", "__rxor__": "^"}
# Methods whose arguments differ from those of the function, or that programs call all the time.
METHODS = "reshape permute flip sum mean max min std var softmax split chunk squeeze unsqueeze transpose flatten matmul argmax clamp masked_fill gather scatter tile roll norm topk sort".split()
# What these give depends on the numbers, so they are spelled out.
BY_VALUE = {"nonzero", "argwhere", "unique", "unique_consecutive", "masked_select", "searchsorted", "bucketize", "repeat_interleave", "item", "quantile", "nanquantile", "where"}
KINDS = [torch.float32, torch.int64, torch.bool, torch.complex64]
MOST_SAMPLES = 40
MOST_READ = 200


class NoText(Exception):
    """A value that has no short spelling."""


def spelled(value, exact=False):
    if isinstance(value, torch.Tensor):
        return tensor(value, exact)
    if isinstance(value, torch.Size):
        return spelled(tuple(value))
    if isinstance(value, (list, tuple)):
        inner = ", ".join(spelled(item, exact) for item in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' if len(value) == 1 else ''})"
    if isinstance(value, slice):
        parts = ["" if part is None else spelled(part) for part in (value.start, value.stop, value.step)]
        return ":".join(parts if value.step is not None else parts[:2])
    if isinstance(value, float) and (value != value or abs(value) == float("inf")):
        return f"float('{value}')"
    if value is None or value is Ellipsis:
        return "..." if value is Ellipsis else "None"
    if isinstance(value, (bool, int, float, complex, str)):
        return repr(value)
    if isinstance(value, (torch.dtype, torch.memory_format, torch.layout)):
        return str(value)
    if isinstance(value, torch.device):
        return repr(value.type)
    raise NoText


def tensor(value, exact=False):
    if value.layout != torch.strided or value.device.type != "cpu" or value.is_quantized or value.numel() > 3000:
        raise NoText
    kind = value.dtype
    suffix = "" if kind == torch.float32 else f", dtype={kind}"
    sizes = "(" + ", ".join(map(str, value.shape)) + ("," if value.ndim == 1 else "") + ")"
    value = value.detach()
    if not kind.is_floating_point and not kind.is_complex:
        if 0 < value.numel() <= 30:
            return f"torch.tensor({value.tolist()}, dtype={kind})"
        return f"torch.ones({sizes}{suffix})"
    if exact and 0 < value.numel() <= 60 and kind == torch.float32 and value.isfinite().all():
        return f"torch.tensor({value.mul(16).round().div(16).tolist()})"
    if exact and (value.numel() > 60 or kind.is_complex):
        raise NoText
    if value.numel() and not kind.is_complex and 0 <= value.min() and value.max() <= 1:
        return f"torch.rand({sizes}{suffix})"
    return f"torch.randn({sizes}{suffix})"


def arguments(args, kwargs, exact=False):
    return ", ".join([spelled(value, exact) for value in args] + [f"{name}={spelled(value, exact)}" for name, value in kwargs.items()])


def public(name):
    """The name as programs write it, and whether it is a method."""
    for prefix, short in (("nn.functional.", "F."), ("linalg.", "torch.linalg."), ("fft.", "torch.fft."), ("special.", "torch.special."), ("signal.", "torch.signal.")):
        if name.startswith(prefix):
            return short + name[len(prefix) :], False
    return (f"torch.{name}", False) if hasattr(torch, name) and callable(getattr(torch, name)) and not isinstance(getattr(torch, name), torch.dtype) else (f"Tensor.{name}", True)


def forms(op):
    """The APIs of an operator, each with how a sample of it is written."""
    name = op.name
    if name == "__getitem__":
        return [("Tensor.__getitem__", lambda x, args, kwargs: f"{spelled(x)}[{', '.join(map(spelled, args[0])) if isinstance(args[0], tuple) and args[0] else spelled(args[0])}]")]
    if name in SIGNS:
        return [(f"Tensor.{name}", lambda x, args, kwargs: f"{spelled(args[0])} {SIGNS[name]} {spelled(x)}")]
    if name in ("H", "T", "mH", "mT", "real", "imag"):
        return [(f"Tensor.{name}", lambda x, args, kwargs: f"{spelled(x)}.{name}")]
    written, is_method = public(name)
    exact = name in BY_VALUE
    as_method = lambda word: lambda x, args, kwargs: f"{spelled(x, exact)}.{word}({arguments(args, kwargs, exact)})"
    result = []
    if is_method and not hasattr(torch.Tensor, name):
        return result
    if is_method:
        result.append((written, as_method(name)))
    else:
        result.append((written, lambda x, args, kwargs: f"{written}({arguments((x, *args), kwargs, exact)})"))
        if name in METHODS:
            result.append((f"Tensor.{name}", as_method(name)))
    inplace = name + "_"
    if not is_method and op.inplace_variant is not None and hasattr(torch.Tensor, inplace) and "." not in name:
        result.append((f"Tensor.{inplace}", as_method(inplace)))
    return result


def samples_of(op):
    """PyTorch's samples of one operator: (input, args, kwargs)."""
    for kind in KINDS:
        if kind not in op.supported_dtypes("cpu") and kind != torch.float32:
            continue
        try:
            for sample in itertools.islice(op.sample_inputs("cpu", kind), MOST_READ):
                yield sample.input, sample.args, sample.kwargs
        except Exception:
            continue
    try:
        for error in op.error_inputs("cpu"):
            sample = error.sample_input
            yield sample.input, sample.args, sample.kwargs
    except Exception:
        pass


def of_operators(wanted):
    from torch.testing._internal.common_methods_invocations import op_db

    for op in op_db:
        if op.name not in SPECIAL and op.name.startswith(LEFT_OUT):
            continue
        chosen = [(api, write) for api, write in forms(op) if wanted(api)]
        if not chosen:
            continue
        samples = list(samples_of(op))
        for api, write in chosen:
            for sample in samples:
                try:
                    yield api, write(*sample)
                except (NoText, IndexError, TypeError):
                    pass


def of_modules(wanted):
    from torch.testing._internal.common_modules import module_db

    for info in module_db:
        if info.name.startswith(LEFT_OUT) or not wanted(info.name):
            continue
        for training in (True, False):
            try:
                inputs = info.module_inputs_func(info, device="cpu", dtype=torch.float32, requires_grad=False, training=training)
            except Exception:
                continue
            for each in inputs:
                made, called = each.constructor_input, each.forward_input
                if called is None:
                    continue
                try:
                    yield info.name, f"{info.name}({arguments(made.args, made.kwargs)})({arguments(called.args, called.kwargs)})"
                except NoText:
                    pass


def seeds(wanted):
    """API to texts of calls."""
    warnings.filterwarnings("ignore")
    found = {}
    for api, text in (*of_operators(wanted), *of_modules(wanted)):
        found.setdefault(api, {})[text] = None
    for api, texts in HANDWRITTEN.items():
        if wanted(api):
            found.setdefault(api, {}).update(dict.fromkeys(texts))
    draw = random.Random(0)
    result = {}
    for api, texts in sorted(found.items()):
        texts = [text for text in texts if len(text) < 1500]
        result[api] = draw.sample(texts, MOST_SAMPLES) if len(texts) > MOST_SAMPLES else texts
    return result
