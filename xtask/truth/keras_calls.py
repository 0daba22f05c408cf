"""Draws calls of Keras layers and records what Keras does with them.

Promises one JSON object a line: the class, its arguments, the inputs, and either the weights and outputs or the error.
A call is accepted if Keras builds it symbolically, the batch left open, and computes it; `contradicted` says that the
shapes of the two differ.
Arguments are drawn by the names in the signatures of the constructors, from pools that know nothing of what is legal;
a layer is drawn until as many calls were accepted as refused, or patience ends.

A row has the tensors that the call takes by name (`call`), masks among them, and an argument that is a layer is
written as files have it, `{"class_name": …, "config": …}`.

usage: keras_calls.py CALLS_PER_LAYER SEED [LAYER ...]
"""

import inspect
import json
import os
import random
import sys
import tempfile

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
GroupNormalization Attention AdditiveAttention MultiHeadAttention GroupQueryAttention Bidirectional TimeDistributed RNN
SimpleRNNCell LSTMCell GRUCell StackedRNNCells ConvLSTM1D ConvLSTM2D ConvLSTM3D EinsumDense AdaptiveAveragePooling1D
AdaptiveAveragePooling2D AdaptiveAveragePooling3D AdaptiveMaxPooling1D AdaptiveMaxPooling2D AdaptiveMaxPooling3D
SpectralNormalization""".split()

# Layers that hold layers, and which ones they are given: those they are made for, and others.
RECURRENT = ["SimpleRNN", "LSTM", "GRU", "RNN", "ConvLSTM1D", "Dense"]
CELLS = ["SimpleRNNCell", "LSTMCell", "GRUCell", "StackedRNNCells", "Dense"]
HELD = {
    "layer": {
        "Bidirectional": RECURRENT,
        "TimeDistributed": """Dense Conv1D Conv2D Flatten LSTM Activation LayerNormalization MaxPooling1D Dropout
        Reshape UpSampling1D Bidirectional BatchNormalization GlobalAveragePooling1D Softmax PReLU""".split(),
        "SpectralNormalization": "Dense Conv1D Conv2D Embedding Flatten EinsumDense DepthwiseConv1D LSTM".split(),
    },
    "backward_layer": {"Bidirectional": RECURRENT},
    "cell": {"RNN": CELLS},
    "cells": {"StackedRNNCells": CELLS[:3] * 3 + CELLS},
}
EQUATIONS = """ab,bc->ac abc,cd->abd abc,bcd->ad abc,cde->abde ...x,xy->...y ab...,bc->ac... ab->a abc,cd->abd ab,bc->ad
abc,bc->a ...xy,yz->...xz ab,bc->ca""".split()

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
    for argument in ("activation", "recurrent_activation"):
        if drawn.get(argument) == "steep":
            drawn[argument] = "relu"
    return {"class_name": name, "config": drawn}


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
    "return_state": lambda draw: draw.random() < 0.3,
    "num_heads": small,
    "key_dim": small,
    "value_dim": lambda draw: draw.choice([None, 1, 2, 3, 0]),
    "head_dim": small,
    "num_query_heads": lambda draw: draw.choice([1, 2, 2, 3, 4, 4, 0]),
    "num_key_value_heads": lambda draw: draw.choice([1, 1, 2, 2, 3]),
    "sliding_window": lambda draw: draw.choice([None, 1, 2, 3, 0]),
    "use_gate": lambda draw: draw.random() < 0.5,
    "attention_axes": lambda draw: draw.choice([None, None, [1], [2], [1, 2], [-1], [3], 1]),
    "dropout": lambda draw: draw.choice([0.0, 0.5]),
    "use_scale": lambda draw: draw.random() < 0.5,
    "score_mode": lambda draw: draw.choice(["dot", "concat", "concat", "sum"]),
    "merge_mode": lambda draw: draw.choice(["concat", "sum", "mul", "ave", None, "max"]),
    "equation": lambda draw: draw.choice(EQUATIONS),
    "output_shape": lambda draw: draw.choice([None, 1, 2, 3, [2], [3], [None, 2], [None, 3], [2, 3], [4], 0]),
    "bias_axes": lambda draw: draw.choice([None, "c", "d", "y", "a", "e", "bc"]),
    "output_size": several,
    "power_iterations": lambda draw: draw.choice([1, 2, 0]),
    "mask_zero": lambda draw: draw.random() < 0.5,
    "unroll": lambda draw: draw.random() < 0.5,
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
        elif name in HELD and cls.__name__ in HELD[name]:
            pool = lambda draw, name=name: held(draw, name, cls.__name__)
            required = required or draw.random() < 0.1
            if name == "backward_layer" and draw.random() < 0.7:
                continue
        elif name == "dropout" and "Attention" not in cls.__name__:
            pool = None
        else:
            pool = POOLS.get(name)
        if pool and (required or draw.random() < 0.45):
            drawn[name] = pool(draw)
    return drawn


def inputs(cls, draw):
    """Shapes without a thought of what the layer takes, though mostly of one rank and alike."""
    merging = cls.__name__ in MERGES
    ranks = [2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 1]
    if cls.__name__ in RANKS and draw.random() < 0.85:
        ranks = RANKS[cls.__name__]
    rank = draw.choice(ranks)
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


# Where most ranks are refused, some ranks are drawn more often: those in Keras's documentation.
RANKS = {
    "ConvLSTM1D": [4],
    "ConvLSTM2D": [5],
    "ConvLSTM3D": [6],
    "Attention": [3],
    "AdditiveAttention": [3],
    "MultiHeadAttention": [3, 3, 4],
    "GroupQueryAttention": [3],
    "Bidirectional": [3, 3, 3, 4],
    "RNN": [3],
    "SimpleRNN": [3],
    "LSTM": [3],
    "GRU": [3],
    "SimpleRNNCell": [2],
    "LSTMCell": [2],
    "GRUCell": [2],
    "StackedRNNCells": [2],
}
ATTENTION = ("Attention", "AdditiveAttention", "MultiHeadAttention", "GroupQueryAttention")
MASKED = ("LSTM", "GRU", "SimpleRNN", "RNN", "Bidirectional", "TimeDistributed", "Softmax", "GlobalAveragePooling1D", "ConvLSTM1D", "ConvLSTM2D")


def truths(shape, draw):
    return numpy.array([draw.random() < 0.7 for _ in range(int(numpy.prod(shape)))], "bool").reshape(shape)


def others(cls, draw, first, layer_states):
    """What a call gives besides its first tensor, by name."""
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
        if draw.random() < 0.25 and len(first) == 3:
            if name in ("Attention", "AdditiveAttention"):
                given["mask"] = [truths(first[:2], draw), truths(value[:2], draw)]
            elif draw.random() < 0.5:
                given["attention_mask"] = truths([draw.choice([1, first[0]]), first[1], value[1]], draw)
            else:
                given["value_mask"] = truths(value[:2], draw)
    elif name in MASKED and draw.random() < 0.3 and len(first) >= 2:
        given["mask"] = truths(like(first if name == "Softmax" and draw.random() < 0.7 else first[:2]), draw)
    if layer_states is not None:
        shapes = [like([first[0], *state]) for state in layer_states]
        if name.endswith(("Cell", "Cells")):
            given["states"] = [values(shape, draw, cls) for shape in shapes]
        elif draw.random() < 0.3:
            given["initial_state"] = [values(shape, draw, cls) for shape in shapes]
    return given


def values(shape, draw, cls):
    count = int(numpy.prod(shape))
    if cls.__name__ == "Embedding":
        return numpy.array([draw.randrange(0, 4) for _ in range(count)], "int32").reshape(shape)
    return numpy.array([draw.choice([0.0, 1.0]) if draw.random() < 0.1 else round(draw.gauss(0, 1.5), 3) for _ in range(count)], "float32").reshape(shape)


def told(array):
    array = numpy.asarray(array)
    flat = array.astype("float64").ravel().tolist()
    return {"shape": list(array.shape), "dtype": str(array.dtype), "values": [str(x) if x != x or x in (float("inf"), float("-inf")) else x for x in flat]}


def made(cls, drawn):
    """The layer, its lists as the tuples that Keras likes, layers in it made first."""
    def value(given):
        if isinstance(given, dict):
            return made(getattr(keras.layers, given["class_name"]), given["config"])
        if isinstance(given, list):
            inner = [value(item) for item in given]
            return inner if any(isinstance(item, keras.layers.Layer) for item in inner) else tuple(inner)
        return given

    return cls(**{name: value(given) for name, given in drawn.items()})


def flat(outputs):
    return keras.tree.flatten(outputs)


def states_of(layer):
    """The sizes of the states that a cell, or a layer that walks with one, keeps."""
    size = getattr(layer, "state_size", None)
    if size is None or size == -1:
        return None
    return [[int(each)] for each in keras.tree.flatten(size)]


def nested(layer, states):
    """A list of states in the form in which cells on cells want them."""
    states = list(states)
    take = lambda size: [take(each) for each in size] if isinstance(size, (list, tuple)) else states.pop(0)
    size = layer.state_size
    return take(size) if isinstance(size, (list, tuple)) else [take(size)]


def called(cls, drawn, given, draw):
    """What Keras makes of it: what else the call was given, weights and outputs, or an error."""
    more = {}
    try:
        layer = made(cls, drawn)
        states = states_of(layer)
        more = others(cls, draw, list(given[0].shape), states)
        listed = cls.__name__ in MERGES + ("Attention", "AdditiveAttention")

        def call(layer, given, more):
            if cls.__name__ in ("Attention", "AdditiveAttention"):
                more = dict(more)
                given = given + [more.pop(name) for name in ("value", "key") if name in more]
            if "states" in more and isinstance(getattr(layer, "state_size", None), (list, tuple)):
                more = {**more, "states": nested(layer, more["states"])}
            if "initial_state" in more and cls.__name__ == "RNN":
                more = {**more, "initial_state": nested(layer, more["initial_state"])}
            return layer(given if listed or len(given) > 1 else given[0], **more)

        # First as a model is built, without values: what Keras refuses there, no model can have.
        symbolic = lambda x: keras.KerasTensor((None, *x.shape[1:]), dtype=str(x.dtype)) if isinstance(x, numpy.ndarray) else x
        described = [symbolic(x) for x in given]
        promised = call(made(cls, drawn), described, keras.tree.map_structure(symbolic, more))
        tensors = lambda tree: keras.tree.map_structure(lambda x: keras.ops.convert_to_tensor(x) if isinstance(x, numpy.ndarray) else x, tree)
        given, named = tensors(given), tensors(more)
        call(layer, given, named)
        weights, names = [], [weight.name for weight in layer.weights]
        for weight in layer.weights:
            random_value = numpy.array([round(draw.gauss(0, 0.7), 3) for _ in range(int(numpy.prod(weight.shape)))], "float32").reshape(weight.shape)
            if weight.name == "moving_variance":
                random_value = numpy.abs(random_value) + numpy.float32(0.1)
            weight.assign(random_value)
            name = weight.name if names.count(weight.name) == 1 else "_".join(weight.path.split("/")[1:])
            weights.append([name, told(random_value)])
        outputs = flat(call(layer, given, named))
        promised = [list(x.shape[1:]) for x in flat(promised)]
        outputs = [keras.ops.convert_to_numpy(x) for x in outputs]
        contradicted = [list(x.shape[1:]) for x in outputs] != promised
        return {"call": spoken(more), "weights": weights, "outputs": [told(x) for x in outputs], "contradicted": contradicted}
    except Exception as error:  # Whatever Keras or its backend raise is the answer.
        message = str(error).splitlines()[0][:200] if str(error) else ""
        return {"call": spoken(more), "error": f"{type(error).__name__}: {message}"}


def spoken(more):
    return {name: [told(x) for x in value] if isinstance(value, list) else told(value) if isinstance(value, numpy.ndarray) else value for name, value in more.items()}


MERGES = ("Add", "Average", "Maximum", "Minimum", "Multiply", "Subtract", "Concatenate", "Dot")


def drawn_call(name, seed, number):
    """Call number `number` of a layer, and what Keras makes of it."""
    draw = random.Random(f"{name} {seed} {number}")
    cls = getattr(keras.layers, name)
    drawn, shapes = arguments(cls, draw), inputs(cls, draw)
    given = [values(shape, draw, cls) for shape in shapes]
    row = {"layer": name, "arguments": drawn, "inputs": [told(x) for x in given]}
    return row, lambda: called(cls, drawn, given, draw)


def record(name, wanted, seed, start, kept, out, progress):
    """Draws calls from number `start` on; says before each which one it is, for a call may take the process with it."""
    for number in range(start, wanted * PATIENCE):
        if sum(kept.values()) >= wanted:
            break
        row, judged = drawn_call(name, seed, number)
        progress.seek(0)
        progress.write(f"{number} {kept[True]} {kept[False]}".ljust(40))
        progress.flush()
        answer = judged()
        accepted = "error" not in answer
        if kept[accepted] * 2 >= wanted and sum(kept.values()) > 0 and kept[not accepted] * 2 < wanted:
            continue
        kept[accepted] += 1
        out.write(json.dumps({**row, **answer}) + "\n")
        out.flush()


def main():
    wanted, seed = int(sys.argv[1]), int(sys.argv[2])
    for name in sys.argv[3:] or LAYERS:
        start, kept = 0, {True: 0, False: 0}
        with tempfile.TemporaryFile("w+") as progress:
            while True:
                # A process of its own for each layer: one call that crashes is a row, not the end.
                sys.stdout.flush()
                child = os.fork()
                if child == 0:
                    record(name, wanted, seed, start, kept, sys.stdout, progress)
                    progress.seek(0)
                    progress.write(f"done {kept[True]} {kept[False]}".ljust(40))
                    progress.flush()
                    os._exit(0)
                _, status = os.waitpid(child, 0)
                progress.seek(0)
                at, accepted, refused = progress.read().split()
                kept = {True: int(accepted), False: int(refused)}
                if at == "done":
                    break
                row, _ = drawn_call(name, seed, int(at))
                crash = f"crash: signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit {status}"
                print(json.dumps({**row, "call": {}, "error": crash}), flush=True)
                kept[False] += 1
                start = int(at) + 1
        print(f"{name}: {kept[True]} accepted, {kept[False]} refused", file=sys.stderr)


main()
