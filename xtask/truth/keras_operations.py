"""Draws calls of `keras.ops` as they stand in the graph of a saved model, and records what Keras makes of them.

Promises, for each call N in FOLDER: N.json, the architecture of a model that holds nothing else, and N.npz with
`input_0` and so on; `output_0` and so on where Keras builds the model and predicts with it. Prints one line a call:
the class, `taken` or `refused`, and N. Arguments are drawn from what the signatures say, whether they fit or not.

usage: keras_operations.py FOLDER CALLS_PER_OPERATION SEED
"""

import json
import os
import pathlib
import random
import sys
import warnings

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import keras  # noqa: E402
import numpy  # noqa: E402

warnings.filterwarnings("ignore")
R = random.Random(int(sys.argv[3]))


def sizes(least=1, most=4):
    return [R.choice([1, 1, 2, 3, 4, 5]) for _ in range(R.randint(least, most))]


def axis(rank, slack=1):
    return R.randint(-rank - slack, rank - 1 + slack)


def often(value, other):
    return value if R.random() < 0.75 else other


def axes(rank):
    return R.choice([None, axis(rank, 0), [axis(rank, 0) for _ in range(R.randint(1, 2))], axis(rank)])


def reduction(rank, shape):
    return {"axis": axes(rank), "keepdims": R.random() < 0.5}


def one_axis(rank, shape):
    return {"axis": often(axis(rank, 0), R.choice([None, axis(rank)])), "keepdims": R.random() < 0.5}


def running(rank, shape):
    return {"axis": often(axis(rank, 0), R.choice([None, axis(rank)])), "dtype": R.choice([None, None, "float32"])}


def nothing(rank, shape):
    return {}


def widths(rank, shape):
    pairs = [[R.randint(0, 2), R.randint(0, 2)] for _ in range(often(rank, rank + 1))]
    pairs = R.choice([pairs, pairs, [pairs[0]] if pairs else pairs])
    return {"pad_width": pairs, "mode": R.choice(["constant", "constant", "reflect", "symmetric", "edge"])}


def slopes(rank, shape):
    return {"alpha": R.choice([1.0, 0.5, 2.0])}


def moved(rank, shape):
    if R.random() < 0.5:
        return {"source": axis(rank, R.randint(0, 1)), "destination": axis(rank, 0)}
    count = R.randint(1, 2)
    return {"source": [axis(rank, 0) for _ in range(count)], "destination": [axis(rank, 0) for _ in range(often(count, 1))]}


def repeats(rank, shape):
    along = often(axis(rank, 0), R.choice([None, axis(rank)]))
    length = shape[along] if along is not None and -rank <= along < rank else 2
    count = R.choice([0, 1, 2, 3, [R.randint(0, 2) for _ in range(often(length, length + 1))]])
    return {"repeats": count, "axis": along}


def rolls(rank, shape):
    along = R.choice([None, axis(rank, 0), axis(rank), [axis(rank, 0), axis(rank, 0)]])
    shift = [R.randint(-3, 3), R.randint(-3, 3)] if isinstance(along, list) and R.random() < 0.8 else R.randint(-4, 4)
    return {"shift": shift, "axis": along}


def broadcasts(rank, shape):
    target = sizes(0, 1) + [often(size, R.choice([1, 2, 3])) if size != 1 else R.choice([1, 2, 3]) for size in shape]
    return {"shape": target}


def unstacked(rank, shape):
    along = often(axis(rank, 0), axis(rank))
    return {"num": R.choice([None, None, shape[0], 2]), "axis": along}


def classes(rank, shape):
    return {"num_classes": R.choice([0, 1, 3, 5]), "axis": R.choice([-1, -1, axis(rank)]), "dtype": R.choice(["float32", "int32"]), "sparse": False}


def parts(rank, shape):
    return {"shape": [R.randint(1, often(size, size + 1)) for size in shape]}


def squeezed(rank, shape):
    ones = [k for k, size in enumerate(shape) if size == 1] or [0]
    return {"axis": often(R.choice(ones), axis(rank))}


def reshaped(rank, shape):
    count = int(numpy.prod(shape))
    return {"newshape": R.choice([[-1], [count], [1, count], [-1, R.choice([1, 2, 3])], [count, 2], [-1, -1]])}


# The class, its module, its inputs (`x` a tensor, `y` one that broadcasts to it or not, `n` a number, `i` positions,
# `l` a list of tensors, `b` truths, `s` a list of numbers), and its configuration.
OPERATIONS = {
    **{name: ("numpy", "x", reduction) for name in "Sum Mean Max Min Any All Prod Var Std Amax Amin".split()},
    **{name: ("numpy", "x", one_axis) for name in ["Argmax", "Argmin"]},
    "Average": ("numpy", "x", lambda r, s: {"axis": axes(r)}),
    "CountNonzero": ("numpy", "x", lambda r, s: {"axis": axes(r)}),
    "Logsumexp": ("math", "x", reduction),
    "Norm": ("linalg", "x", lambda r, s: {"ord": None, "axis": R.choice([None, axis(r, 0), axis(r)]), "keepdims": R.random() < 0.5}),
    **{name: ("numpy", "x", running) for name in ["Cumsum", "Cumprod"]},
    **{name: ("numpy", R.choice(["xy", "xn", "nx"]), nothing) for name in
       "Add Subtract Multiply Divide TrueDivide Maximum Minimum Power Equal NotEqual Greater GreaterEqual Less LessEqual LogicalAnd LogicalOr LogicalXor FloorDivide Mod DivideNoNan".split()},
    "Where": ("numpy", "bxy", nothing),
    **{name: ("numpy", "x", nothing) for name in
       "Negative Absolute Abs Square Sign Sqrt Exp Expm1 Log Log1p Reciprocal Sin Cos Tan Tanh Floor Ceil LogicalNot Isnan Sinh Cosh Arcsin Arccos Arctan Log2 Log10 Trunc Isfinite Copy Ravel".split()},
    **{name: ("math", "x", nothing) for name in ["Rsqrt", "Erf"]},
    **{name: ("nn", "x", nothing) for name in
       "Relu Relu6 Sigmoid Silu Softplus Softsign HardSigmoid HardSilu HardTanh Selu LogSigmoid SparsePlus SparseSigmoid TanhShrink".split()},
    "LeakyRelu": ("nn", "x", lambda r, s: {"negative_slope": R.choice([0.2, 0.0, 1.5])}),
    "Elu": ("nn", "x", slopes),
    "Celu": ("nn", "x", slopes),
    "Gelu": ("nn", "x", lambda r, s: {"approximate": R.random() < 0.5}),
    "Squareplus": ("nn", "x", lambda r, s: {"b": R.choice([4, 1])}),
    "Softmax": ("nn", "x", lambda r, s: {"axis": often(axis(r, 0), axis(r))}),
    "LogSoftmax": ("nn", "x", lambda r, s: {"axis": often(axis(r, 0), axis(r))}),
    "Glu": ("nn", "x", lambda r, s: {"axis": often(axis(r, 0), axis(r))}),
    "Normalize": ("nn", "x", lambda r, s: {"axis": often(axis(r, 0), axis(r)), "order": 2, "epsilon": None}),
    "OneHot": ("nn", "i", classes),
    "Cast": ("core", "x", lambda r, s: {"dtype": R.choice(["float16", "int32", "bool", "float32"])}),
    "Clip": ("numpy", "x", lambda r, s: {"x_min": -0.5, "x_max": R.choice([0.5, 2.0])}),
    "Transpose": ("numpy", "x", lambda r, s: {"axes": R.choice([None, R.sample(range(r), r), [0] * r])}),
    "Reshape": ("numpy", "x", reshaped),
    "ExpandDims": ("numpy", "x", lambda r, s: {"axis": axis(r + 1)}),
    "Squeeze": ("numpy", "x", squeezed),
    "Swapaxes": ("numpy", "x", lambda r, s: {"axis1": axis(r, 0), "axis2": often(axis(r, 0), axis(r))}),
    "Concatenate": ("numpy", "l", lambda r, s: {"axis": often(axis(r, 0), axis(r))}),
    "Stack": ("numpy", "l", lambda r, s: {"axis": axis(r + 1, R.randint(0, 1))}),
    "Vstack": ("numpy", "l", nothing),
    "Hstack": ("numpy", "l", nothing),
    "Split": ("numpy", "x", lambda r, s: {"indices_or_sections": R.choice([1, 2, 3, [1], [1, 2]]), "axis": often(axis(r, 0), axis(r))}),
    "Matmul": ("numpy", "m", nothing),
    "Tile": ("numpy", "x", lambda r, s: {"repeats": R.choice([R.randint(0, 3), [R.randint(0, 2) for _ in range(R.randint(1, r + 1))]])}),
    "Repeat": ("numpy", "x", repeats),
    "BroadcastTo": ("numpy", "x", broadcasts),
    "Moveaxis": ("numpy", "x", moved),
    "Flip": ("numpy", "x", lambda r, s: {"axis": R.choice([None, axis(r, 0), axis(r), [0, r - 1]])}),
    "Roll": ("numpy", "x", rolls),
    "Pad": ("numpy", "x", widths),
    "Take": ("numpy", "xi", lambda r, s: {"axis": often(axis(r, 0), R.choice([None, axis(r)]))}),
    "TakeAlongAxis": ("numpy", "xj", lambda r, s: {"axis": often(axis(r, 0), R.choice([None, axis(r)]))}),
    "Tril": ("numpy", "x", lambda r, s: {"k": R.randint(-2, 2)}),
    "Triu": ("numpy", "x", lambda r, s: {"k": R.randint(-2, 2)}),
    "Unstack": ("core", "x", unstacked),
    "Slice": ("core", "xs", parts),
}


def numbers(shape, dtype):
    if dtype == "float32":
        return numpy.round(numpy.random.default_rng(R.randrange(2**32)).normal(size=shape), 3).astype(dtype)
    low, high = (0, 2) if dtype == "bool" else (-3, 4)
    return numpy.random.default_rng(R.randrange(2**32)).integers(low, high, size=shape).astype(dtype)


def drawn(name):
    """The architecture of a model that calls the operation once, and what it is given."""
    module, takes, configured = OPERATIONS[name]
    takes = R.choice(["xy", "xn", "nx"]) if takes in ("xy", "xn", "nx") else takes
    shape = sizes()
    rank = len(shape)
    given, layers = [], []

    def tensor(shape, dtype, values=None):
        at = f"input_{len(given)}"
        values = numbers(shape, dtype) if values is None else values
        given.append(values)
        layers.append({"module": "keras.layers", "class_name": "InputLayer", "name": at, "inbound_nodes": [],
                       "config": {"batch_shape": list(shape), "dtype": dtype, "name": at}, "registered_name": None})
        return {"class_name": "__keras_tensor__",
                "config": {"shape": list(shape), "dtype": dtype, "keras_history": [at, 0, 0]}}

    def positions(shape):
        values = numpy.random.default_rng(R.randrange(2**32)).integers(-1, 1, size=shape).astype("int32")
        return tensor(shape, "int32", values)

    kind = R.choice(["float32", "float32", "float32", "int32", "bool"])
    partner = [often(size, R.choice([1, 1, 2])) for size in shape][R.choice([0, 0, 0, -1, -2]):]
    config = {"name": "it", **configured(rank, shape)}
    arguments = []
    for what in takes:
        if what == "x":
            arguments.append(tensor(shape, kind))
        elif what == "y":
            if R.random() < 0.15:
                values = numbers(partner, "float32")
                arguments.append({"class_name": "__numpy__", "config": {"value": values.tolist(), "dtype": "float32"}})
            else:
                arguments.append(tensor(partner, often(kind, R.choice(["float32", "int32"]))))
        elif what == "b":
            arguments.append(tensor(R.choice([shape, partner]), "bool"))
        elif what == "n":
            arguments.append(R.choice([2, 0.5, -1, 3.0]))
        elif what == "i":
            arguments.append(R.choice([positions(sizes(0, 2)), [0, -1], 0] if takes == "xi" else [positions(shape)]))
        elif what == "j":
            along = config["axis"] if config["axis"] is not None and -rank <= config["axis"] < rank else 0
            own = [R.randint(1, 3) if k == along % rank else often(size, 1) for k, size in enumerate(shape)]
            arguments.append(positions(often(own, partner)))
        elif what == "l":
            along = config.get("axis", 0 if name == "Vstack" else 1)
            along = along % rank if -rank <= along < rank else 0
            other = [often(size, size + 1) if k == along and name != "Stack" else R.choice([size] * 9 + [size + 1]) for k, size in enumerate(shape)]
            arguments.append([tensor(shape, kind), tensor(other, often(kind, "float32"))])
        elif what == "m":
            inner = R.choice([2, 3])
            left, right = sizes(0, 2) + [inner], [often(inner, 4), R.choice([1, 3])]
            arguments += [tensor(left, "float32"), tensor(R.choice([left[:-2] + right, right, [inner]]), "float32")]
        elif what == "s":
            arguments.append([R.randint(0, 1) for _ in range(often(rank, rank - 1))])
    named = {"constant_values": R.choice([None, None, 2])} if name == "Pad" and config["mode"] == "constant" else {}
    layers.append({"module": f"keras.src.ops.{module}", "class_name": name, "config": config, "registered_name": name,
                   "name": "it", "inbound_nodes": [{"args": arguments, "kwargs": named}]})
    outputs = ["it", 0, 0]
    model = {"module": "keras.src.models.functional", "class_name": "Functional", "registered_name": "Functional", "config": {
        "name": "m", "trainable": True, "layers": layers,
        "input_layers": [[f"input_{k}", 0, 0] for k in range(len(given))], "output_layers": [outputs]}}
    return model, given


def judged(model, given):
    """The outputs; the batch of a prediction is all there is."""
    made = keras.models.model_from_json(json.dumps(model))
    return keras.tree.flatten(made(given if len(given) > 1 else given[0]))


def main():
    folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    for name in OPERATIONS:
        for _ in range(count):
            number += 1
            model, given = drawn(name)
            recorded = {f"input_{k}": values for k, values in enumerate(given)}
            try:
                outputs = judged(model, given)
                for k, output in enumerate(outputs[:1]):
                    recorded[f"output_{k}"] = numpy.asarray(keras.ops.convert_to_numpy(output))
                verdict = "taken"
            except Exception as error:
                verdict = "refused"
                recorded["error"] = numpy.frombuffer(f"{type(error).__name__}: {error}"[:300].encode(), "uint8")
            (folder / f"{number}.json").write_text(json.dumps(model))
            numpy.savez(folder / f"{number}.npz", **recorded)
            print(name, verdict, number)


main()
