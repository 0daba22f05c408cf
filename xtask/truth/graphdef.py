"""Graphs of one operator each, drawn valid and otherwise, with what TensorFlow makes of them.

usage: graphdef.py FOLDER COUNT SEED

Writes NUMBER.pb and one line per graph to cases.jsonl: the operator, whether TensorFlow takes it, its error, and
types, shapes and values of the outputs.
"""

import json
import random
import sys

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import op_def_registry

tf1 = tf.compat.v1
random_state = random.Random()


def size(low=1, high=4):
    return random_state.randint(low, high)


def shape(rank=None):
    return [size() for _ in range(size(0, 3) if rank is None else rank)]


def floats(dims, low=-3.0, high=3.0, dtype=np.float32):
    return np.array([random_state.uniform(low, high) for _ in range(int(np.prod(dims)))], dtype).reshape(dims)


def ints(dims, low=-4, high=5, dtype=np.int32):
    return np.array([random_state.randint(low, high) for _ in range(int(np.prod(dims)))], dtype).reshape(dims)


def bools(dims):
    return ints(dims, 0, 1).astype(bool)


def index(value):
    return np.array(value, random_state.choice([np.int32, np.int64]))


def real(dims, low=-3.0, high=3.0):
    kind = random_state.choice("fffdi")
    return ints(dims) if kind == "i" else floats(dims, low, high, np.float64 if kind == "d" else np.float32)


def alike(array):
    """Another array that broadcasts with this one."""
    dims = [1 if random_state.random() < 0.2 else d for d in array.shape]
    dims = dims[size(0, len(dims)) if random_state.random() < 0.3 and dims else 0:]
    if array.dtype == bool:
        return bools(dims)
    return ints(dims, 1, 5, array.dtype) if array.dtype.kind == "i" else floats(dims, dtype=array.dtype)


def unary(low=-3.0, high=3.0):
    return lambda: ([floats(shape(), low, high, random_state.choice([np.float32, np.float64]))], {})


def binary(make=real):
    def draw():
        a = make(shape())
        b = alike(a)
        return ([a, b] if random_state.random() < 0.5 else [b, a]), {}
    return draw


def paired(low=-3.0, high=3.0):
    def draw():
        dims = shape()
        return [floats(dims, low, high), floats(dims, low, high)], {}
    return draw


def reduction(make=real):
    def draw():
        a = make(shape())
        rank = a.ndim
        axes = random_state.sample(range(rank), size(0, rank)) if rank else []
        axes = [axis - rank if random_state.random() < 0.3 else axis for axis in axes]
        axes = axes[0] if len(axes) == 1 and random_state.random() < 0.5 else axes
        return [a, index(axes)], {"keep_dims": random_state.random() < 0.5}
    return draw


def axis_of(rank):
    axis = random_state.randrange(rank)
    return axis - rank if random_state.random() < 0.3 else axis


def conv(attrs_only=False, depthwise=False):
    height, width, channels = size(3, 6), size(3, 6), size(1, 3)
    kernel = [size(1, 3), size(1, 3)]
    stride = size(1, 2)
    dilation = 1 if stride > 1 else size(1, 2)
    padding = random_state.choice(["SAME", "VALID", "SAME", "EXPLICIT"] if not depthwise else ["SAME", "VALID"])
    attrs = {"strides": [1, stride, stride, 1], "padding": padding.encode(), "data_format": b"NHWC",
             "dilations": [1, dilation, dilation, 1]}
    if padding == "EXPLICIT":
        attrs["explicit_paddings"] = [0, 0, size(0, 2), size(0, 2), size(0, 2), size(0, 2), 0, 0]
    return size(1, 2), height, width, channels, kernel, size(1, 3), attrs


def conv2d():
    batch, height, width, channels, kernel, filters, attrs = conv()
    return [floats([batch, height, width, channels]), floats(kernel + [channels, filters])], attrs


def depthwise():
    batch, height, width, channels, kernel, filters, attrs = conv(depthwise=True)
    return [floats([batch, height, width, channels]), floats(kernel + [channels, filters])], attrs


def conv_sizes(batch, height, width, filters, kernel, attrs):
    out = []
    for axis, extent in ((1, height), (2, width)):
        stride, dilation = attrs["strides"][axis], attrs["dilations"][axis]
        reach = dilation * (kernel[axis - 1] - 1) + 1
        if attrs["padding"] == b"SAME":
            out.append(-(-extent // stride))
        else:
            pads = attrs.get("explicit_paddings", [0] * 8)
            out.append((extent + pads[2 * axis] + pads[2 * axis + 1] - reach) // stride + 1)
    return [batch] + [max(0, n) for n in out] + [filters]


def conv2d_input_gradient():
    batch, height, width, channels, kernel, filters, attrs = conv()
    attrs["dilations"] = [1, 1, 1, 1]
    sizes = conv_sizes(batch, height, width, filters, kernel, attrs)
    return [np.array([batch, height, width, channels], np.int32), floats(kernel + [channels, filters]),
            floats(sizes)], attrs


def conv2d_filter_gradient():
    batch, height, width, channels, kernel, filters, attrs = conv()
    attrs["dilations"] = [1, 1, 1, 1]
    sizes = conv_sizes(batch, height, width, filters, kernel, attrs)
    return [floats([batch, height, width, channels]), np.array(kernel + [channels, filters], np.int32),
            floats(sizes)], attrs


def pool():
    kernel, stride = [1, size(1, 3), size(1, 3), 1], size(1, 2)
    return [floats([size(1, 2), size(3, 6), size(3, 6), size(1, 3)])], {
        "ksize": kernel, "strides": [1, stride, stride, 1],
        "padding": random_state.choice([b"SAME", b"VALID"]), "data_format": b"NHWC"}


def pool_gradient():
    (x,), attrs = pool()
    y = getattr(tf.raw_ops, "MaxPool")(input=x, ksize=attrs["ksize"], strides=attrs["strides"],
                                       padding=attrs["padding"].decode()).numpy()
    return [x, y, floats(y.shape)], attrs


def batch_norm():
    channels = size(1, 3)
    training = random_state.random() < 0.5
    statistic = lambda low: floats([0] if training else [channels], low, 3.0)
    return [floats([size(1, 2), size(2, 4), size(2, 4), channels]), floats([channels]), floats([channels]),
            statistic(-3.0), statistic(0.1)], {"is_training": training, "epsilon": 0.001}


def concat():
    dims = shape(size(1, 3))
    axis = random_state.randrange(len(dims))
    parts = [floats(dims[:axis] + [size()] + dims[axis + 1:]) for _ in range(size(2, 3))]
    return [parts, index(axis)], {}


def stack():
    dims = shape()
    return [[floats(dims) for _ in range(size(1, 3))]], {"axis": axis_of(len(dims) + 1)}


def unstack():
    dims = shape(size(1, 3))
    axis = random_state.randrange(len(dims))
    return [floats(dims)], {"axis": axis, "num": dims[axis]}


def split():
    dims = shape(size(1, 3))
    axis, count = random_state.randrange(len(dims)), size(1, 3)
    dims[axis] *= count
    return [np.array(axis, np.int32), floats(dims)], {"num_split": count}


def split_v():
    dims = shape(size(1, 3))
    axis = random_state.randrange(len(dims))
    sizes = [size(0, 3) for _ in range(size(2, 3))]
    dims[axis] = sum(sizes)
    if random_state.random() < 0.4:
        sizes[random_state.randrange(len(sizes))] = -1
    return [floats(dims), np.array(sizes, np.int32), np.array(axis, np.int32)], {"num_split": len(sizes)}


def strided_slice():
    x = ints(shape(size(1, 3)))
    entries = size(1, x.ndim)
    begin = [random_state.randint(-d, d - 1) for d in x.shape[:entries]]
    end = [random_state.randint(-d - 1, d + 1) for d in x.shape[:entries]]
    strides = [random_state.choice([1, 1, 2, -1]) for _ in range(entries)]
    mask = lambda: random_state.randrange(1 << entries) if random_state.random() < 0.4 else 0
    shrink = mask()
    strides = [1 if shrink >> k & 1 else s for k, s in enumerate(strides)]
    return [x, np.array(begin, np.int32), np.array(end, np.int32), np.array(strides, np.int32)], {
        "begin_mask": mask(), "end_mask": mask(), "shrink_axis_mask": shrink,
        "new_axis_mask": mask() if random_state.random() < 0.2 else 0,
        "ellipsis_mask": random_state.choice([0, 0, 0, 1])}


def slice_sizes():
    x = floats(shape(size(1, 3)))
    begin = [random_state.randint(0, d) for d in x.shape]
    length = [random_state.choice([-1, random_state.randint(0, d - b)]) for d, b in zip(x.shape, begin)]
    kind = random_state.choice([np.int32, np.int64])
    return [x, np.array(begin, kind), np.array(length, kind)], {}


def gather():
    x = floats(shape(size(1, 3)))
    axis = random_state.randrange(x.ndim)
    return [x, ints(shape(size(0, 2)), 0, x.shape[axis] - 1), index(axis)], {"batch_dims": 0}


def gather_nd():
    x = floats(shape(size(1, 3)))
    depth = size(1, x.ndim)
    rows = shape(size(0, 2))
    columns = [ints(rows + [1], 0, d - 1) for d in x.shape[:depth]]
    return [x, np.concatenate(columns, -1)], {}


def scatter():
    x = floats(shape(size(1, 2)))
    rows = size(1, 3)
    return [x, ints([rows, 1], 0, x.shape[0] - 1, np.int32), floats([rows] + list(x.shape[1:]))], {}


def one_hot():
    return [ints(shape(), -1, 4), np.array(size(1, 5), np.int32), np.array(2.5, np.float32),
            np.array(-1.0, np.float32)], {"axis": -1}


def pad(mode=None):
    def draw():
        x = floats(shape(size(1, 3)))
        most = {None: 3}.get(mode, 0)
        pads = [[size(0, most or max(d - 1, 0)), size(0, most or max(d - 1, 0))] for d in x.shape]
        attrs = {} if mode is None else {"mode": mode}
        return [x, index(pads)], attrs
    return draw


def matmul():
    n, k, m = size(), size(), size()
    a, b = random_state.random() < 0.4, random_state.random() < 0.4
    return [floats([k, n] if a else [n, k]), floats([m, k] if b else [k, m])], {"transpose_a": a, "transpose_b": b}


def batch_matmul():
    n, k, m = size(), size(), size()
    a, b = random_state.random() < 0.4, random_state.random() < 0.4
    batch = shape(size(0, 2))
    return [floats(batch + ([k, n] if a else [n, k])), floats(batch + ([m, k] if b else [k, m]))], {
        "adj_x": a, "adj_y": b}


def entropy():
    rows, classes = size(), size()
    return [floats([rows, classes]), floats([rows, classes], 0.0, 1.0)], {}


def sparse_entropy():
    rows, classes = size(), size()
    return [floats([rows, classes]), ints([rows], 0, classes - 1)], {}


def gradient_axes():
    a = np.array(shape(), np.int32)
    b = np.array([random_state.choice([1, d]) for d in a], np.int32)[size(0, len(a)) if len(a) else 0:]
    return [a, b], {}


def stitch():
    order = list(range(size(2, 4)))
    random_state.shuffle(order)
    cut = size(1, len(order) - 1)
    inner = shape(size(0, 1))
    parts = [order[:cut], order[cut:]]
    return [[np.array(p, np.int32) for p in parts], [floats([len(p)] + inner) for p in parts]], {}


def reshape():
    x = floats(shape(size(1, 3)))
    target = [x.size // size(1, 1)] if random_state.random() < 0.5 else [-1, x.shape[-1]]
    return [x, index(target)], {}


def squeeze():
    dims = [1 if random_state.random() < 0.5 else size() for _ in range(size(1, 4))]
    ones = [k for k, d in enumerate(dims) if d == 1]
    return [floats(dims)], {"squeeze_dims": random_state.sample(ones, size(0, len(ones))) if ones else []}


def transpose():
    x = floats(shape())
    order = list(range(x.ndim))
    random_state.shuffle(order)
    return [x, index(order)], {}


def tile():
    x = floats(shape(size(1, 3)))
    return [x, index([size(0, 3) for _ in x.shape])], {}


def select():
    x = floats(shape())
    condition = random_state.choice([bools(x.shape), bools([])] + ([bools(x.shape[:1])] if x.ndim else []))
    return [condition, x, floats(x.shape)], {}


def select_v2():
    x = floats(shape())
    return [alike(bools(x.shape)), x, alike(x)], {}


def momentum():
    dims = shape()
    return [floats(dims), floats(dims)], {}


DRAWS = {
    **{name: unary() for name in (
        "Neg Exp Square Sign Floor Ceil Round Rint Sigmoid Tanh Relu Relu6 Elu Selu Softplus Softsign Sin Cos Tan "
        "Sinh Cosh Asinh Atan Erf Erfc Expm1 IsNan IsInf IsFinite Identity StopGradient ZerosLike OnesLike L2Loss "
        "Abs Snapshot").split()},
    **{name: unary(0.1, 3.0) for name in "Log Log1p Sqrt Rsqrt Reciprocal Inv".split()},
    **{name: unary(-0.9, 0.9) for name in "Asin Acos Atanh".split()},
    "Acosh": unary(1.1, 4.0),
    "LeakyRelu": lambda: ([floats(shape())], {"alpha": 0.25}),
    **{name: binary() for name in (
        "Add AddV2 Sub Mul Maximum Minimum Less LessEqual Greater GreaterEqual Equal NotEqual "
        "SquaredDifference FloorMod FloorDiv").split()},
    **{name: binary(floats) for name in "RealDiv Div DivNoNan MulNoNan Xdivy Atan2 Mod".split()},
    **{name: binary(lambda dims: floats(dims, 0.1, 3.0)) for name in "Pow".split()},
    **{name: binary(bools) for name in "LogicalAnd LogicalOr".split()},
    **{name: binary(ints) for name in "BitwiseAnd BitwiseOr BitwiseXor TruncateDiv TruncateMod".split()},
    **{name: paired() for name in (
        "ReluGrad Relu6Grad SoftplusGrad SoftsignGrad SigmoidGrad TanhGrad EluGrad SeluGrad ReciprocalGrad InvGrad "
        "LeakyReluGrad").split()},
    **{name: paired(0.1, 3.0) for name in "SqrtGrad RsqrtGrad Xlogy Xlog1py".split()},
    "LogicalNot": lambda: ([bools(shape())], {}),
    "Invert": lambda: ([ints(shape())], {}),
    **{name: reduction() for name in "Sum Max Min Prod".split()},
    **{name: reduction(floats) for name in "Mean EuclideanNorm".split()},
    **{name: reduction(bools) for name in "All Any".split()},
    **{name: (lambda: ([floats(shape(size(1, 3)))], {})) for name in "Softmax LogSoftmax".split()},
    **{name: (lambda: (lambda x: ([x, index(axis_of(x.ndim))], {"output_type": random_state.choice([tf.int32, tf.int64])}))(
        floats(shape(size(1, 3))))) for name in "ArgMax ArgMin".split()},
    **{name: (lambda: (lambda x: ([x, index(axis_of(x.ndim))], {
        "exclusive": random_state.random() < 0.5, "reverse": random_state.random() < 0.5}))(
            floats(shape(size(1, 3))))) for name in "Cumsum Cumprod".split()},
    "AddN": lambda: (lambda dims: ([[floats(dims) for _ in range(size(1, 3))]], {}))(shape()),
    "Cast": lambda: ([real(shape())], {"DstT": random_state.choice([tf.float32, tf.int32, tf.float64, tf.int64])}),
    "Shape": lambda: ([floats(shape())], {"out_type": random_state.choice([tf.int32, tf.int64])}),
    "Size": lambda: ([floats(shape())], {"out_type": random_state.choice([tf.int32, tf.int64])}),
    "Rank": lambda: ([floats(shape())], {}),
    "Reshape": reshape, "Squeeze": squeeze, "Transpose": transpose, "Tile": tile,
    "ExpandDims": lambda: (lambda x: ([x, index(axis_of(x.ndim + 1))], {}))(floats(shape())),
    "BroadcastTo": lambda: (lambda x: ([x, index(shape(1) + list(x.shape))], {}))(floats(shape())),
    "ConcatV2": concat, "Concat": lambda: (lambda c: ([np.array(c[0][1], np.int32), c[0][0]], c[1]))(concat()),
    "Pack": stack, "Unpack": unstack, "Split": split, "SplitV": split_v,
    "Slice": slice_sizes, "StridedSlice": strided_slice,
    "Gather": lambda: (lambda g: ([g[0][0], ints(shape(), 0, g[0][0].shape[0] - 1)], {}))(gather()),
    "GatherV2": gather, "GatherNd": gather_nd,
    "TensorScatterUpdate": lambda: (lambda x: ([x, np.array([[0]], np.int32), floats([1] + list(x.shape[1:]))], {}))(
        floats(shape(size(1, 2)))),
    "TensorScatterAdd": scatter, "TensorScatterMax": scatter, "TensorScatterMin": scatter,
    "OneHot": one_hot, "Pad": pad(), "MirrorPad": lambda: pad(random_state.choice([b"REFLECT", b"SYMMETRIC"]))(),
    "PadV2": lambda: (lambda p: (p[0] + [np.array(7.0, np.float32)], {}))(pad()()),
    "Fill": lambda: ([index(shape()), np.array(random_state.uniform(-2, 2), np.float32)], {}),
    "Range": lambda: ([np.array(size(0, 2), np.int32), np.array(size(3, 9), np.int32), np.array(size(1, 3), np.int32)], {}),
    "LinSpace": lambda: ([np.array(-1.5, np.float32), np.array(2.0, np.float32), np.array(size(1, 6), np.int32)], {}),
    "ReverseV2": lambda: (lambda x: ([x, index([axis_of(x.ndim)])], {}))(floats(shape(size(1, 3)))),
    "ReverseSequence": lambda: (lambda b, t: ([floats([b, t, 2]), ints([b], 0, t)], {"seq_dim": 1, "batch_dim": 0}))(
        size(), size()),
    "InvertPermutation": lambda: (lambda p: ([np.array(random_state.sample(p, len(p)), np.int32)], {}))(
        list(range(size(1, 5)))),
    "MatMul": matmul, "BatchMatMul": batch_matmul, "BatchMatMulV2": batch_matmul,
    "Einsum": lambda: (lambda a, b, c: ([[floats([a, b]), floats([b, c])]], {"equation": b"ij,jk->ik"}))(
        size(), size(), size()),
    "BiasAdd": lambda: (lambda c: ([floats(shape(size(1, 3)) + [c]), floats([c])], {}))(size()),
    "BiasAddGrad": lambda: ([floats(shape(size(2, 4)))], {}),
    "Conv2D": conv2d, "DepthwiseConv2dNative": depthwise,
    "Conv2DBackpropInput": conv2d_input_gradient, "Conv2DBackpropFilter": conv2d_filter_gradient,
    "MaxPool": pool, "AvgPool": pool, "MaxPoolGrad": pool_gradient,
    **{name: batch_norm for name in "FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3".split()},
    "SoftmaxCrossEntropyWithLogits": entropy, "SparseSoftmaxCrossEntropyWithLogits": sparse_entropy,
    "BroadcastGradientArgs": gradient_axes, "DynamicStitch": stitch,
    "Select": select, "SelectV2": select_v2, "Where": lambda: ([bools(shape(size(1, 3)))], {}),
    "TopKV2": lambda: (lambda x: ([x, np.array(size(1, x.shape[-1]), np.int32)], {"sorted": True}))(
        floats(shape(size(1, 3)))),
    "ClipByValue": lambda: ([floats(shape()), np.array(-1.0, np.float32), np.array(1.0, np.float32)], {}),
    "LeftShift": lambda: ([ints([3], 0, 9), ints([3], 0, 4)], {}),
    "RightShift": lambda: ([ints([3], 0, 99), ints([3], 0, 4)], {}),
    "MatrixDeterminant": lambda: (lambda n: ([floats([n, n])], {}))(size(1, 3)),
    "PlaceholderWithDefault": lambda: (lambda x: ([x], {"shape": x.shape}))(floats(shape())),
}

RANDOM = {
    "RandomUniform": lambda: ([index(shape(size(0, 3)))], {"dtype": tf.float32}),
    "RandomStandardNormal": lambda: ([index(shape(size(0, 3)))], {"dtype": tf.float32}),
    "TruncatedNormal": lambda: ([index(shape(size(0, 3)))], {"dtype": tf.float32}),
    "RandomUniformInt": lambda: ([index(shape(size(0, 3))), np.array(0, np.int32), np.array(9, np.int32)], {}),
}
DRAWS.update(RANDOM)


def spoil(inputs):
    """Changes the shape of one input."""
    places = [(k, None) for k, x in enumerate(inputs) if isinstance(x, np.ndarray)]
    places += [(k, j) for k, x in enumerate(inputs) if isinstance(x, list) for j in range(len(x))]
    k, j = random_state.choice(places)
    x = inputs[k] if j is None else inputs[k][j]
    dims = list(x.shape)
    change = random_state.choice(["grow", "axis", "drop"])
    if change == "grow" and dims:
        dims[random_state.randrange(len(dims))] += 1
    elif change == "drop" and dims:
        dims = dims[1:]
    else:
        dims = [random_state.choice([1, 2])] + dims
    x = np.resize(x, dims).astype(x.dtype) if np.prod(dims) and x.size else np.zeros(dims, x.dtype)
    if j is None:
        inputs[k] = x
    else:
        inputs[k] = inputs[k][:j] + [x] + inputs[k][j + 1:]


def attribute(node, name, value, kind):
    target = node.attr[name]
    if kind == "type":
        target.type = tf.as_dtype(value).as_datatype_enum
    elif kind == "int":
        target.i = value
    elif kind == "float":
        target.f = value
    elif kind == "bool":
        target.b = bool(value)
    elif kind == "string":
        target.s = value
    elif kind == "shape":
        target.shape.CopyFrom(tf.TensorShape(value).as_proto())
    elif kind == "list(int)":
        target.list.i.extend(int(v) for v in value)
        target.list.SetInParent()
    else:
        raise ValueError(kind)


def build(op, inputs, attrs):
    definition = op_def_registry.get(op)
    graph = tf1.GraphDef()
    node = tf1.NodeDef(name="result", op=op)
    for argument, value in zip(definition.input_arg, inputs):
        arrays = value if isinstance(value, list) else [value]
        for array in arrays:
            constant = graph.node.add(name=f"x{len(graph.node)}", op="Const")
            constant.attr["dtype"].type = tf.as_dtype(array.dtype).as_datatype_enum
            constant.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(array, shape=array.shape))
            node.input.append(constant.name)
        if argument.type_attr:
            attribute(node, argument.type_attr, arrays[0].dtype, "type")
        if argument.number_attr:
            attribute(node, argument.number_attr, len(arrays), "int")
    for declared in definition.attr:
        if declared.name in attrs:
            attribute(node, declared.name, attrs[declared.name], declared.type)
    graph.node.append(node)
    return graph


def judged(graph):
    try:
        with tf1.Graph().as_default() as own:
            tf1.import_graph_def(graph, name="")
            operation = own.get_operation_by_name("result")
            with tf1.Session(graph=own) as session:
                values = session.run(list(operation.outputs))
    except Exception as error:  # noqa: BLE001: whatever TensorFlow says
        return {"ok": False, "error": " ".join(str(error).split())[:300]}
    told = []
    for value in values:
        value = np.asarray(value)
        told.append({"type": str(value.dtype), "shape": list(value.shape),
                     "values": [float(v) for v in value.astype(np.float64).ravel()]})
    return {"ok": True, "outputs": told}


def main():
    folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    random_state.seed(seed)
    names = sorted(DRAWS)
    with open(f"{folder}/cases.jsonl", "w") as cases:
        for number in range(count):
            op = names[number % len(names)]
            inputs, attrs = DRAWS[op]()
            inputs = list(inputs)
            if random_state.random() < 0.3:
                spoil(inputs)
            graph = build(op, inputs, attrs)
            with open(f"{folder}/{number}.pb", "wb") as file:
                file.write(graph.SerializeToString())
            case = {"number": number, "op": op, "random": op in RANDOM, **judged(graph)}
            cases.write(json.dumps(case) + "\n")


main()
