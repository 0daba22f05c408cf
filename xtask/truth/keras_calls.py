"""Draws calls of Keras layers and records what Keras does with them.

Promises one JSON object a line: the class, its arguments, the inputs, and either the weights and outputs or the error.
A call is accepted if Keras builds it symbolically, the batch left open, and computes it; `contradicted` says that the
shapes of the two differ.
Arguments are drawn by the names in the signatures of the constructors, from pools that know nothing of what is legal;
a layer is drawn until as many calls were accepted as refused, or patience ends.

usage: keras_calls.py CALLS_PER_LAYER SEED [LAYER ...]
"""

import inspect
import json
import os
import random
import sys

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import keras  # noqa: E402
import numpy  # noqa: E402

LAYERS = """Activation Add Average AveragePooling1D AveragePooling2D AveragePooling3D BatchNormalization Concatenate
Conv1D Conv1DTranspose Conv2D Conv2DTranspose Conv3D Conv3DTranspose Cropping1D Cropping2D Cropping3D Dense
DepthwiseConv1D DepthwiseConv2D Dot ELU Embedding Flatten GRU GlobalAveragePooling1D GlobalAveragePooling2D
GlobalAveragePooling3D GlobalMaxPooling1D GlobalMaxPooling2D GlobalMaxPooling3D LSTM LayerNormalization LeakyReLU
Masking MaxPooling1D MaxPooling2D MaxPooling3D Maximum Minimum Multiply PReLU Permute ReLU RepeatVector Reshape
SeparableConv1D SeparableConv2D SimpleRNN Softmax Subtract UpSampling1D UpSampling2D UpSampling3D ZeroPadding1D
ZeroPadding2D ZeroPadding3D Identity ActivityRegularization Dropout AlphaDropout GaussianDropout GaussianNoise
SpatialDropout1D SpatialDropout2D SpatialDropout3D Rescaling UnitNormalization RMSNormalization
GroupNormalization""".split()

ACTIVATIONS = """linear relu relu6 leaky_relu elu selu celu gelu silu sigmoid log_sigmoid hard_sigmoid hard_silu
hard_tanh hard_shrink soft_shrink softplus softsign softmax tanh tanh_shrink exponential mish steep""".split()

# How often a layer is drawn for each call that is kept, at most.
PATIENCE = 25


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


def number(draw):
    return draw.choice([0.0, 0.1, 0.5, 1.0, 1.5, 2.0, 6.0, -0.5, 1e-3])


POOLS = {
    "filters": small,
    "units": small,
    "n": small,
    "groups": lambda draw: draw.choice([1, 1, 1, 2, 3, 0, -1]),
    "depth_multiplier": small,
    "input_dim": small,
    "output_dim": small,
    "kernel_size": several,
    "pool_size": several,
    "strides": several,
    "dilation_rate": lambda draw: draw.choice([1, 1, 1, 2, [1, 1], [1, 2], 0, 3]),
    "output_padding": lambda draw: draw.choice([None, None, None, 0, 1, [0, 1]]),
    "size": several,
    "cropping": around,
    "data_format": lambda draw: draw.choice(["channels_last", "channels_first", "channels_first", "last"]),
    "activation": lambda draw: draw.choice(ACTIVATIONS),
    "recurrent_activation": lambda draw: draw.choice(ACTIVATIONS),
    "use_bias": lambda draw: draw.random() < 0.5,
    "axis": lambda draw: axis(draw) if draw.random() < 0.8 else [axis(draw), axis(draw)],
    "axes": lambda draw: axis(draw) if draw.random() < 0.6 else [axis(draw), axis(draw)],
    "normalize": lambda draw: draw.random() < 0.5,
    "epsilon": lambda draw: draw.choice([1e-3, 1e-5, 0.5, 0.1]),
    "center": lambda draw: draw.random() < 0.5,
    "scale": lambda draw: draw.random() < 0.5,
    "alpha": number,
    "negative_slope": number,
    "max_value": lambda draw: draw.choice([None, 0.5, 1.0, 6.0, -1.0, 0.0]),
    "threshold": number,
    "mask_value": number,
    "keepdims": lambda draw: draw.random() < 0.5,
    "return_sequences": lambda draw: draw.random() < 0.5,
    "go_backwards": lambda draw: draw.random() < 0.5,
    "reset_after": lambda draw: draw.random() < 0.5,
    "zero_output_for_mask": lambda draw: draw.random() < 0.5,
    "target_shape": lambda draw: [draw.choice([1, 2, 2, 3, 4, 6, -1, -1, 0]) for _ in range(draw.choice([0, 1, 1, 2, 2, 3]))],
    "dims": lambda draw: draw.sample(range(1, 5), draw.choice([1, 2, 2, 3])) if draw.random() < 0.6 else draw.sample(range(1, (k := draw.choice([1, 2, 3])) + 1), k),
    "rate": lambda draw: draw.choice([0.0, 0.3, 0.5, 1.0, -0.1, 1.5, 2]),
    "stddev": lambda draw: draw.choice([0.0, 0.3, 0.5, 1.0, -0.1, 1.5, 2]),
    "l1": number,
    "l2": number,
    "offset": number,
    "shared_axes": lambda draw: draw.choice([None, 1, [1], [1, 2], [2], [3], 0]),
}
WORDS = {"padding": ["valid", "same", "same", "causal", "full"]}


def arguments(cls, draw):
    drawn = {}
    for name, parameter in inspect.signature(cls.__init__).parameters.items():
        required = parameter.default is inspect.Parameter.empty
        if name == "scale" and cls.__name__ == "Rescaling":
            pool = number
        elif name == "padding":
            pool = around if "Padding" in cls.__name__ else lambda draw: draw.choice(WORDS["padding"])
        else:
            pool = POOLS.get(name)
        if pool and (required or draw.random() < 0.45):
            drawn[name] = pool(draw)
    return drawn


def inputs(cls, draw):
    """Shapes without a thought of what the layer takes, though mostly of one rank and alike."""
    merging = cls.__name__ in ("Add", "Average", "Maximum", "Minimum", "Multiply", "Subtract", "Concatenate", "Dot")
    rank = draw.choice([2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 1])
    sizes = lambda: [draw.choice([1, 2])] + [draw.choice([1, 2, 3, 3, 4, 4, 5, 6]) for _ in range(rank - 1)]
    first = sizes()
    if not merging:
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


def values(shape, draw, cls):
    count = int(numpy.prod(shape))
    if cls.__name__ == "Embedding":
        return numpy.array([draw.randrange(0, 4) for _ in range(count)], "int32").reshape(shape)
    return numpy.array([draw.choice([0.0, 1.0]) if draw.random() < 0.1 else round(draw.gauss(0, 1.5), 3) for _ in range(count)], "float32").reshape(shape)


def told(array):
    array = numpy.asarray(array)
    flat = array.astype("float64").ravel().tolist()
    return {"shape": list(array.shape), "dtype": str(array.dtype), "values": [str(x) if x != x or x in (float("inf"), float("-inf")) else x for x in flat]}


def called(cls, drawn, given, draw):
    """What Keras makes of it: weights and outputs, or an error."""
    try:
        hashable = {name: tuple(tuple(x) if isinstance(x, list) else x for x in value) if isinstance(value, list) else value for name, value in drawn.items()}
        layer = cls(**hashable)
        # First as a model is built, without values: what Keras refuses there, no model can have.
        described = [keras.KerasTensor((None, *x.shape[1:]), dtype=str(x.dtype)) for x in given]
        promised = cls(**hashable)(described[0] if len(given) == 1 and cls.__name__ not in MERGES else described)
        argument = given[0] if len(given) == 1 and cls.__name__ not in MERGES else given
        layer(argument)
        weights = {}
        for weight in layer.weights:
            random_value = numpy.array([round(draw.gauss(0, 0.7), 3) for _ in range(int(numpy.prod(weight.shape)))], "float32").reshape(weight.shape)
            if weight.name == "moving_variance":
                random_value = numpy.abs(random_value) + numpy.float32(0.1)
            weight.assign(random_value)
            weights[weight.name] = told(random_value)
        outputs = layer(argument)
        promised = [list(x.shape[1:]) for x in (promised if isinstance(promised, (list, tuple)) else [promised])]
        outputs = [keras.ops.convert_to_numpy(x) for x in (outputs if isinstance(outputs, (list, tuple)) else [outputs])]
        contradicted = [list(x.shape[1:]) for x in outputs] != promised
        return {"weights": weights, "outputs": [told(x) for x in outputs], "contradicted": contradicted}
    except Exception as error:  # Whatever Keras or its backend raise is the answer.
        return {"error": f"{type(error).__name__}: {str(error).splitlines()[0][:200] if str(error) else ''}"}


MERGES = ("Add", "Average", "Maximum", "Minimum", "Multiply", "Subtract", "Concatenate", "Dot")


def main():
    wanted, seed = int(sys.argv[1]), int(sys.argv[2])
    for name in sys.argv[3:] or LAYERS:
        draw = random.Random(f"{name}{seed}")
        cls = getattr(keras.layers, name)
        kept = {True: 0, False: 0}
        for _ in range(wanted * PATIENCE):
            if sum(kept.values()) >= wanted:
                break
            drawn, shapes = arguments(cls, draw), inputs(cls, draw)
            given = [values(shape, draw, cls) for shape in shapes]
            answer = called(cls, drawn, given, draw)
            accepted = "error" not in answer
            if kept[accepted] * 2 >= wanted and sum(kept.values()) > 0 and kept[not accepted] * 2 < wanted:
                continue
            kept[accepted] += 1
            print(json.dumps({"layer": name, "arguments": drawn, "inputs": [told(x) for x in given], **answer}), flush=False)
        print(f"{name}: {kept[True]} accepted, {kept[False]} refused", file=sys.stderr)


main()
