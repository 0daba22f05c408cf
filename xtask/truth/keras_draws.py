"""What calls of Keras layers are drawn from.

Promises draws that are the same for the same seed, by the names in the signatures of the constructors, from pools that
know nothing of what is legal: `arguments` of a constructor, `inputs` of a call and what else it takes (`others`).
An argument that is a layer is written as files have it, `{"class_name": …, "config": …}`.
"""

import inspect
import json

import keras
import numpy

LAYERS = """Activation Add Average AveragePooling1D AveragePooling2D AveragePooling3D BatchNormalization Concatenate
Conv1D Conv1DTranspose Conv2D Conv2DTranspose Conv3D Conv3DTranspose Cropping1D Cropping2D Cropping3D Dense
DepthwiseConv1D DepthwiseConv2D Dot ELU Embedding Flatten GRU GlobalAveragePooling1D GlobalAveragePooling2D
GlobalAveragePooling3D GlobalMaxPooling1D GlobalMaxPooling2D GlobalMaxPooling3D LSTM LayerNormalization LeakyReLU
Masking MaxPooling1D MaxPooling2D MaxPooling3D Maximum Minimum Multiply PReLU Permute ReLU RepeatVector Reshape
SeparableConv1D SeparableConv2D SimpleRNN Softmax Subtract UpSampling1D UpSampling2D UpSampling3D ZeroPadding1D
ZeroPadding2D ZeroPadding3D Identity ActivityRegularization Dropout AlphaDropout GaussianDropout GaussianNoise
SpatialDropout1D SpatialDropout2D SpatialDropout3D Rescaling UnitNormalization RMSNormalization
GroupNormalization Attention AdditiveAttention MultiHeadAttention GroupQueryAttention Bidirectional TimeDistributed RNN
SimpleRNNCell LSTMCell GRUCell StackedRNNCells ConvLSTM1D ConvLSTM2D ConvLSTM3D EinsumDense AdaptiveAveragePooling1D
AdaptiveAveragePooling2D AdaptiveAveragePooling3D AdaptiveMaxPooling1D AdaptiveMaxPooling2D AdaptiveMaxPooling3D
SpectralNormalization Normalization Resizing CenterCrop CategoryEncoding Discretization IntegerLookup
ReversibleEmbedding MelSpectrogram STFTSpectrogram AutoContrast Solarization Equalization AugMix CutMix MixUp
RandAugment RandomBrightness RandomColorDegeneration RandomColorJitter RandomContrast RandomCrop RandomElasticTransform
RandomErasing RandomFlip RandomGaussianBlur RandomGrayscale RandomHue RandomInvert RandomPerspective
RandomPosterization RandomRotation RandomSaturation RandomSharpness RandomShear RandomTranslation RandomZoom""".split()

MERGES = ("Add", "Average", "Maximum", "Minimum", "Multiply", "Subtract", "Concatenate", "Dot")
ATTENTION = ("Attention", "AdditiveAttention", "MultiHeadAttention", "GroupedQueryAttention")
SOUNDS = ("STFTSpectrogram", "MelSpectrogram")
INTEGERS = ("Embedding", "ReversibleEmbedding", "CategoryEncoding", "IntegerLookup")

# Layers that hold layers, and which ones they are given: those they are made for, and others.
RECURRENT = ["SimpleRNN", "LSTM", "GRU", "RNN", "ConvLSTM1D", "Dense"]
CELLS = ["SimpleRNNCell", "LSTMCell", "GRUCell", "StackedRNNCells", "Dense"]
HELD = {
    "layer": {
        "Bidirectional": RECURRENT,
        "TimeDistributed": """Dense Conv1D Conv2D Flatten LSTM Activation LayerNormalization MaxPooling1D Dropout
        Reshape UpSampling1D Bidirectional BatchNormalization GlobalAveragePooling1D Softmax PReLU Add""".split(),
        "SpectralNormalization": "Dense Conv1D Conv2D Embedding Flatten EinsumDense DepthwiseConv1D LSTM".split(),
    },
    "backward_layer": {"Bidirectional": RECURRENT},
    "cell": {"RNN": CELLS},
    "cells": {"StackedRNNCells": CELLS[:3] * 3 + CELLS},
}
HOLDERS = sorted({owner for owners in HELD.values() for owner in owners})
EQUATIONS = """ab,bc->ac abc,cd->abd abc,bcd->ad abc,cde->abde ...x,xy->...y ab...,bc->ac... ab->a abc,cd->abd ab,bc->ad
abc,bc->a ...xy,yz->...xz ab,bc->ca""".split()

ACTIVATIONS = """linear relu relu6 leaky_relu elu selu celu gelu silu sigmoid log_sigmoid hard_sigmoid hard_silu
hard_tanh hard_shrink soft_shrink softplus softsign softmax tanh tanh_shrink exponential mish steep""".split()


def one_of(*choices):
    return lambda draw: draw.choice(choices)


def small(draw):
    return draw.choice([1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 0, -1])


def several(draw):
    """One number, or one for each of some axes."""
    if draw.random() < 0.5:
        return small(draw)
    return [small(draw) for _ in range(draw.choice([1, 2, 2, 3, 3, 4]))]


def around(draw):
    """What padding and cropping take: a number, numbers, or pairs."""
    kind = draw.random()
    few = lambda: draw.choice([0, 0, 1, 1, 2, 3, -1])
    axes = draw.choice([1, 2, 3])
    if kind < 0.3:
        return few()
    if kind < 0.5:
        return [few() for _ in range(axes)]
    if kind < 0.65:
        return [few(), few()]
    return [[few(), few()] for _ in range(axes)]


def axis(draw):
    return draw.choice([-1, -1, 1, 1, 2, 3, -2, 0, 4, -5])


def axes(share):
    return lambda draw: axis(draw) if draw.random() < share else [axis(draw) for _ in range(draw.choice([0, 1, 2, 2, 2, 2]))]


def numbers(draw):
    """Nothing, a number, or a list of them."""
    kind = draw.random()
    if kind < 0.2:
        return None
    some = lambda: draw.choice([0.5, 1.0, 2.0, 3.5, 0.0])
    return some() if kind < 0.5 else [some() for _ in range(draw.choice([1, 2, 3, 3, 4]))]


number = one_of(0.0, 0.1, 0.5, 1.0, 1.5, 2.0, 6.0, -0.5, 1e-3)
coin = lambda draw: draw.random() < 0.5
share = one_of(0.0, 0.3, 0.5, 1.0, -0.1, 1.5, 2)
factor = one_of(0.0, 0.3, 0.5, 1.0, [0.1, 0.5], [-0.5, 0.5], [0.5, 0.2], 1.5, -0.5, [0.1], [0.1, 0.2, 0.3], -2, None, [-3.0, 0.5], [0.2, 4.0])
size_of_image = one_of(1, 2, 3, 3, 4, 4, 5, 6, 8, 0, -1)

POOLS = {
    "filters": small,
    "units": small,
    "n": small,
    "groups": one_of(1, 1, 2, 2, 3, 0, -1),
    "depth_multiplier": small,
    "input_dim": small,
    "output_dim": small,
    "kernel_size": several,
    "pool_size": several,
    "strides": several,
    "dilation_rate": one_of(1, 1, 2, 2, [1, 1], [1, 2], 0, 3),
    "output_padding": one_of(None, None, None, 0, 1, 1, 2, [0, 1]),
    "size": several,
    "cropping": around,
    "data_format": one_of("channels_last", "channels_first", "channels_first", "last"),
    "activation": one_of(*ACTIVATIONS),
    "recurrent_activation": one_of(*ACTIVATIONS),
    "use_bias": coin,
    "axis": axes(0.8),
    "axes": axes(0.6),
    "normalize": coin,
    "epsilon": one_of(1e-3, 1e-5, 0.5, 0.1),
    "center": coin,
    "scale": coin,
    "momentum": one_of(0.9, 0.0, 1.0, 2.0),
    "alpha": one_of(0.0, 0.1, 0.5, 1.0, 1.5, 2.0, 6.0, -0.5, 1e-3, None, "steep"),
    "negative_slope": number,
    "max_value": one_of(None, 0.5, 1.0, 6.0, -1.0, 0.0),
    "threshold": number,
    "mask_value": one_of(0.0, 0.5, 1.0, -0.5, 1.0, "steep", None),
    "keepdims": coin,
    "return_sequences": coin,
    "go_backwards": coin,
    "stateful": lambda draw: draw.random() < 0.2,
    "reset_after": coin,
    "zero_output_for_mask": coin,
    "target_shape": lambda draw: [draw.choice([1, 2, 2, 3, 4, 6, -1, -1, 0]) for _ in range(draw.choice([0, 1, 1, 2, 2, 3]))],
    "dims": lambda draw: draw.sample(range(1, 5), draw.choice([1, 2, 2, 3])) if draw.random() < 0.6 else draw.sample(range(1, (k := draw.choice([1, 2, 3])) + 1), k),
    "rate": share,
    "stddev": share,
    "seed": one_of(None, 0, 7),
    "noise_shape": one_of(None, [None, 1], [1, 2, 3]),
    "l1": number,
    "l2": number,
    "offset": one_of(0.0, 0.5, 1.0, -0.5, "steep", [0.5, 1.0], [1.0]),
    "return_state": lambda draw: draw.random() < 0.3,
    "num_heads": small,
    "key_dim": small,
    "value_dim": one_of(None, 1, 2, 3, 0),
    "head_dim": small,
    "num_query_heads": one_of(1, 2, 2, 3, 4, 4, 0),
    "num_key_value_heads": one_of(1, 1, 2, 2, 3),
    "sliding_window": one_of(None, 1, 2, 3, 0),
    "use_gate": coin,
    "attention_axes": one_of(None, None, [1], [2], [1, 2], [-1], [3], 1, [1, 1], [0]),
    "dropout": one_of(0.0, 0.5),
    "recurrent_dropout": one_of(0.0, 0.5),
    "unit_forget_bias": coin,
    "use_scale": coin,
    "score_mode": one_of("dot", "concat", "concat", "sum"),
    "merge_mode": one_of("concat", "sum", "mul", "ave", None, "max"),
    "equation": one_of(*EQUATIONS),
    "output_shape": one_of(None, 1, 2, 3, [2], [3], [None, 2], [None, 3], [2, 3], [4], 0, -2, [3, -2]),
    "bias_axes": one_of(None, "c", "d", "y", "a", "e", "bc"),
    "output_size": several,
    "power_iterations": one_of(1, 2, 0),
    "mask_zero": coin,
    "unroll": coin,
    "shared_axes": one_of(None, 1, [1], [1, 2], [2], [3], 0),
    "interpolation": one_of("nearest", "nearest", "bilinear", "bilinear", "bicubic", "lanczos3", "steep"),
    # What is prepared for models.
    "mean": numbers,
    "variance": numbers,
    "invert": coin,
    "height": size_of_image,
    "width": size_of_image,
    "crop_to_aspect_ratio": lambda draw: draw.random() < 0.3,
    "pad_to_aspect_ratio": lambda draw: draw.random() < 0.3,
    "antialias": lambda draw: draw.random() < 0.3,
    "fill_mode": one_of("constant", "reflect", "wrap", "nearest", "steep"),
    "fill_value": one_of(0.0, 1.0, -2.5),
    "num_tokens": one_of(None, 1, 2, 4, 5, 6, 7, 0),
    "output_mode": one_of("int", "one_hot", "multi_hot", "count", "tf_idf", "steep"),
    "bin_boundaries": one_of(None, [0.0], [-1.0, 0.0, 1.0], [0.5, 1.5], [0.25, 0.5, 0.75, 3.0]),
    "num_bins": one_of(None, None, 1, 3, 0),
    "vocabulary": one_of(None, [1, 2, 3], [5, 0, 2], [4], [1, 1], [3, -1], [2, 3, 4, 1]),
    "vocabulary_dtype": one_of("int64", "int32", "string"),
    "max_tokens": one_of(None, None, 1, 3, 5, 8),
    "num_oov_indices": one_of(0, 1, 1, 2, 3, -1),
    "mask_token": one_of(None, 0, 2),
    "oov_token": one_of(-1, 1, 7),
    "idf_weights": one_of(None, [1.0, 2.0, 3.0], [0.5]),
    "pad_to_max_tokens": coin,
    "oov_method": one_of("floormod", "steep"),
    "tie_weights": coin,
    "logit_soft_cap": one_of(None, 1.0, 3.0, 0),
    "value_range": one_of([0, 255], [0, 1], [-1, 1], [1.0, 0.0], [0], 3, [0, 1, 2], [0, 0]),
    "addition_factor": factor,
    "threshold_factor": factor,
    "bins": one_of(256, 4, 1, 16),
    "factor": factor,
    "height_factor": factor,
    "width_factor": factor,
    "x_factor": factor,
    "y_factor": factor,
    "brightness_factor": factor,
    "contrast_factor": factor,
    "saturation_factor": factor,
    "hue_factor": factor,
    "sigma": factor,
    "mode": one_of("horizontal", "vertical", "horizontal_and_vertical", "steep"),
    "num_ops": one_of(1, 2, 0, -1),
    "num_chains": one_of(1, 2, 3),
    "chain_depth": one_of(1, 2, 3),
    "all_ops": coin,
    "frame_length": one_of(4, 5, 8, 8, 16, 1, 0, 100),
    "frame_step": one_of(None, 1, 2, 3, 5, 0),
    "fft_length": one_of(4, 8, 16, 16, 6, 2, 0),
    "sequence_stride": one_of(1, 2, 4, 4, 0),
    "sequence_length": one_of(None, 4, 8, 8, 16, 3),
    "window": one_of("hann", "hamming", None, "steep", "hann"),
    "periodic": coin,
    "scaling": one_of("density", "spectrum", None, "steep"),
    "expand_dims": coin,
    "sampling_rate": one_of(16, 100, 16000),
    "num_mel_bins": one_of(1, 2, 3, 4, 8),
    "min_freq": one_of(0.0, 1.0, 20.0),
    "max_freq": one_of(None, 8.0, 50.0),
    "power_to_db": coin,
    "top_db": one_of(80.0, 10.0, 1.0, -1.0),
    "mag_exp": one_of(1.0, 2.0, 0.5),
    "min_power": one_of(1e-10, 1e-3, 1.0),
    "ref_power": one_of(1.0, 10.0, 0.1),
}

# Where one name means different things.
OF_CLASS = {
    ("Rescaling", "scale"): one_of(0.0, 0.1, 0.5, 1.0, 2.0, -0.5, "steep", [2.0, 0.5], [1.0, 2.0, 3.0], None),
    ("Normalization", "axis"): lambda draw: None if draw.random() < 0.15 else axes(0.8)(draw),
    ("STFTSpectrogram", "mode"): one_of("log", "magnitude", "psd", "real", "imag", "angle", "stft", "steep"),
    ("STFTSpectrogram", "padding"): one_of("valid", "same", "same", "valid", "full"),
    # Windows by name are made by a package that need not be there.
    ("STFTSpectrogram", "window"): one_of(None),
    ("STFTSpectrogram", "scaling"): one_of("density", "spectrum", None, "density", "spectrum", "steep"),
    ("STFTSpectrogram", "frame_length"): one_of(4, 5, 8, 8, 6, 1, 0),
    ("STFTSpectrogram", "fft_length"): one_of(None, None, 4, 8, 16, 16, 6),
    ("MelSpectrogram", "sampling_rate"): one_of(16, 100, 16000),
    ("RandomGaussianBlur", "kernel_size"): one_of(1, 3, 5, 2, [3, 5], [3, 2], [3]),
    ("RandomErasing", "scale"): factor,
    ("RandomElasticTransform", "scale"): factor,
    ("RandomPerspective", "scale"): share,
    ("AugMix", "alpha"): number,
    ("CategoryEncoding", "output_mode"): one_of("one_hot", "multi_hot", "multi_hot", "count", "int"),
    ("IntegerLookup", "output_mode"): one_of("int", "int", "int", "one_hot", "multi_hot", "count", "tf_idf", "steep"),
}
WORDS = {
    "padding": ["valid", "same", "same", "causal", "full"],
    "initializer": ["zeros", "ones", "he_normal", "GlorotUniform", "random_normal", "steep"],
    "regularizer": ["l1", "l2", "L1L2", None, "steep"],
    "constraint": ["non_neg", "unit_norm", "MaxNorm", None, "steep"],
}
# What every layer takes. Layers that refuse little else get more of it.
COMMON = {
    "name": one_of("a", "some name", 3, "a/b"),
    "trainable": one_of(True, False),
    "dtype": one_of("float32", "float31", 7),
    "activity_regularizer": one_of("l1", "L2", "steep"),
}
LENIENT = ("Identity", "Masking", "ELU", "Rescaling", "RandomFlip", "RandomContrast", "Equalization", "CutMix")


def pool_of(cls, name):
    """What an argument is drawn from, or nothing, and how often it is given where it need not be."""
    kind = name.rsplit("_", 1)[-1]
    if (cls.__name__, name) in OF_CLASS:
        return OF_CLASS[cls.__name__, name], 0.45
    if name == "padding":
        return around if "Padding" in cls.__name__ else one_of(*WORDS["padding"]), 0.45
    if kind in WORDS and name not in POOLS:
        return one_of(*WORDS[kind]), 0.08
    if name in HELD and cls.__name__ in HELD[name]:
        return lambda draw: held(draw, name, cls.__name__), 0.45
    return POOLS.get(name), 0.45


def inherits(cls, name):
    return any(name in inspect.signature(parent.__init__).parameters for parent in cls.__mro__[1:])


def arguments(cls, draw):
    drawn = {}
    parameters = inspect.signature(cls.__init__).parameters
    for name, parameter in parameters.items():
        required = parameter.default is inspect.Parameter.empty
        if name == "backward_layer" and draw.random() < 0.7:
            continue
        pool, chance = pool_of(cls, name)
        required = required or (cls.__name__, name) == ("STFTSpectrogram", "window")
        if pool and (required or draw.random() < chance):
            drawn[name] = pool(draw)
    if "data_format" not in parameters and inherits(cls, "data_format") and draw.random() < 0.1:
        drawn["data_format"] = POOLS["data_format"](draw)
    takes_more = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values())
    for name, pool in COMMON.items():
        if not takes_more and name not in parameters:
            continue
        if draw.random() < (0.25 if cls.__name__ in LENIENT else 0.03) and name not in drawn:
            drawn[name] = pool(draw)
    return drawn


def held(draw, name, owner):
    """A layer that is an argument, as its class and its own arguments; where a list can be given, one of several."""
    classes = HELD[name][owner]
    if name == "cells" or (name == "cell" and draw.random() < 0.15):
        return [held_layer(draw, draw.choice(classes)) for _ in range(draw.choice([1, 2, 2, 3]))]
    return held_layer(draw, draw.choice(classes))


def held_layer(draw, name):
    cls = getattr(keras.layers, name)
    drawn = arguments(cls, draw)
    # Enough is drawn wrong outside.
    for argument in ("units", "filters", "kernel_size"):
        if argument in drawn and draw.random() < 0.9:
            drawn[argument] = draw.choice([1, 2, 3])
    drawn = {name: value for name, value in drawn.items() if "steep" not in json.dumps(value) and name not in COMMON}
    return {"class_name": name, "config": drawn}


# Where most ranks are refused, some ranks are drawn more often: those in Keras's documentation.
RANKS = {
    "ConvLSTM1D": [4],
    "ConvLSTM2D": [5],
    "ConvLSTM3D": [6],
    "Attention": [3],
    "AdditiveAttention": [3],
    "MultiHeadAttention": [3, 3, 4],
    "GroupedQueryAttention": [3],
    "Bidirectional": [3, 3, 3, 4],
    "RNN": [3],
    "SimpleRNN": [3],
    "LSTM": [3],
    "GRU": [3],
    "SimpleRNNCell": [2],
    "LSTMCell": [2],
    "GRUCell": [2],
    "StackedRNNCells": [2],
    "CategoryEncoding": [1, 2, 2, 2, 3],
    "STFTSpectrogram": [2, 3, 3],
    "MelSpectrogram": [1, 2, 2],
    **{name: [4, 4, 4, 3] for name in LAYERS if name.startswith("Random") or name in """Resizing CenterCrop AutoContrast
    Solarization Equalization AugMix CutMix MixUp RandAugment""".split()},
}


def inputs(cls, draw):
    """Shapes without a thought of what the layer takes, though mostly of one rank and alike."""
    ranks = [2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 1]
    if cls.__name__ in RANKS and draw.random() < 0.85:
        ranks = RANKS[cls.__name__]
    rank = draw.choice(ranks)
    longer = [8, 12, 17, 24] if cls.__name__ in SOUNDS else [1, 2, 3, 3, 4, 4, 5, 6]
    first = [draw.choice([1, 2])] + [draw.choice(longer) for _ in range(rank - 1)]
    if cls.__name__ in SOUNDS and rank != 2:
        first[-1] = draw.choice([1, 2, 8])
    if cls.__name__ not in MERGES:
        return [first]
    shapes = [first]
    for _ in range(draw.choice([1, 1, 1, 2, 0])):
        other = list(first)
        for k in range(len(other)):
            if draw.random() < 0.15:
                other[k] = draw.choice([1, 2, 3])
        if draw.random() < 0.1:
            other = other[:-1] if len(other) > 1 else other + [2]
        shapes.append(other)
    return shapes


def truths(shape, draw):
    return numpy.array([draw.random() < 0.7 for _ in range(int(numpy.prod(shape)))], "bool").reshape(shape)


def others(cls, draw, first, layer_states, tensors=1):
    """What a call gives besides its tensors, by name. Masks of merged tensors are those that they carry."""
    name, given = cls.__name__, {}
    like = lambda shape: [size if draw.random() < 0.9 else draw.choice([1, 2, 3]) for size in shape]
    if name in ATTENTION:
        length = draw.choice([1, 2, 3, 4])
        value = [length if axis == 1 else size for axis, size in enumerate(first)]
        given["value"] = values(like(value), draw, cls)
        if draw.random() < 0.4:
            given["key"] = values(like(value), draw, cls)
        if draw.random() < 0.3:
            given["use_causal_mask"] = True
        if draw.random() < 0.3:
            given["return_attention_scores"] = True
        if draw.random() < 0.4 and len(first) == 3:
            if name in ("Attention", "AdditiveAttention"):
                given["mask"] = [truths(first[:2], draw), truths(value[:2], draw)]
            elif draw.random() < 0.5:
                given["attention_mask"] = truths([draw.choice([1, first[0]]), first[1], value[1]], draw)
            else:
                given["value_mask"] = truths(value[:2], draw)
    elif "mask" in inspect.signature(cls.call).parameters and draw.random() < 0.3 and len(first) >= 2:
        rows = first[:-1] if name == "BatchNormalization" else first[:2]
        given["mask"] = truths(like(first if name == "Softmax" and draw.random() < 0.7 else rows), draw)
    elif name == "CategoryEncoding" and draw.random() < 0.15:
        given["count_weights"] = numpy.array([draw.choice([0.5, 1.0, 2.0]) for _ in range(int(numpy.prod(first)))], "float32").reshape(first)
    elif name == "ReversibleEmbedding" and draw.random() < 0.4:
        given["reverse"] = True
    elif name in MERGES and draw.random() < 0.25 and len(first) >= 2:
        given["mask"] = [truths(like(first[:-1]), draw) for _ in range(tensors)]
    if layer_states is not None:
        shapes = [like([first[0], *state]) for state in layer_states]
        if name.endswith(("Cell", "Cells")):
            given["states"] = [values(shape, draw, cls) for shape in shapes]
        elif draw.random() < 0.3:
            given["initial_state"] = [values(shape, draw, cls) for shape in shapes]
    return given


def values(shape, draw, cls):
    count = int(numpy.prod(shape))
    if cls.__name__ in INTEGERS and not (cls.__name__ == "ReversibleEmbedding" and draw.random() < 0.4):
        return numpy.array([draw.randrange(0, 4) for _ in range(count)], "int32").reshape(shape)
    scale = draw.choice([1, 60]) if RANKS.get(cls.__name__) == [4, 4, 4, 3] else 1
    flat = [draw.choice([0.0, 1.0]) if draw.random() < 0.1 else round(draw.gauss(0, 1.5) * scale, 3) for _ in range(count)]
    return numpy.array(flat, "float32").reshape(shape)
