"""Small graphs that use the operator kinds no export uses, as bases for mutants beside the narrow exports.

`graphs()` promises models that ONNX Runtime runs at `BINDING`. In the texts below an input whose name starts
with `w_` is a weight: it becomes an initialiser with random values.
"""

import re

import numpy
import onnx

# Sizes that no weight below has, so that a mistaken axis shows.
BINDING = {"N": 5, "C": 7, "H": 9, "W": 10, "T": 11}
OTHER_BINDING = {"N": 3, "C": 4, "H": 12, "W": 11, "T": 8}
# Graph inputs of integers are drawn below this, so they serve as indices into every axis used here.
INDEX_BOUND = 2


def graphs() -> dict[str, onnx.ModelProto]:
    return {name: built(name, text) for name, text in TEXTS.items()}


def built(name: str, text: str) -> onnx.ModelProto:
    opset = 23 if name.endswith("_23") else 21
    model = onnx.parser.parse_model(f'<ir_version: 10, opset_import: ["" : {opset}]> {name} {text}')
    graph = model.graph
    generator = numpy.random.default_rng(0)
    for value in [value for value in graph.input if value.name.startswith("w_")]:
        tensor = value.type.tensor_type
        shape = [size.dim_value for size in tensor.shape.dim]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        data = generator.integers(0, 5, shape) if dtype.kind in "iu" else generator.standard_normal(shape) * 0.5
        graph.initializer.append(onnx.numpy_helper.from_array(numpy.asarray(data, dtype), value.name))
        graph.input.remove(value)
    for output in graph.output:
        output.type.tensor_type.ClearField("shape")  # `float y` reads as a scalar
    for node in graph.node:
        node.name = re.sub(r"\W", "_", f"{node.op_type}_{node.output[0]}")
    return model


TEXTS = {
    "convolutions": """(float[N, 4, H, W] x, float[6, 4, 3, 3] w_a, float[6] w_b, float[6, 3, 2, 2] w_c, float[6] w_e,
        float[6, 1, 3, 3] w_d) => (float y) {
        a = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1], strides = [2, 2], dilations = [1, 1]> (x, w_a, w_b)
        b = ConvTranspose <strides = [2, 2], output_padding = [1, 1], group = 2> (a, w_c, w_e)
        c = Conv <group = 6, dilations = [2, 2], pads = [2, 2, 2, 2]> (b, w_d)
        d = LeakyRelu <alpha = 0.1> (c)
        y = Conv <group = 6, strides = [2, 2], auto_pad = "SAME_UPPER"> (d, w_d)
    }""",
    "convolutions_of_sequences": """(float[N, 4, T] x, float[8, 4, 3] w_a, float[8] w_b, float[8, 2, 4] w_c)
        => (float y) {
        a = Conv <kernel_shape = [3], pads = [1, 1]> (x, w_a, w_b)
        b = Relu (a)
        c = ConvTranspose <strides = [2], pads = [1, 1]> (b, w_c)
        y = MaxPool <kernel_shape = [2], strides = [2]> (c)
    }""",
    "pooling": """(float[N, 4, H, W] x) => (float y, float z, float u) {
        a = MaxPool <kernel_shape = [3, 3], strides = [1, 2], pads = [1, 1, 1, 1], dilations = [1, 1]> (x)
        b = AveragePool <kernel_shape = [2, 3], strides = [1, 1], ceil_mode = 1, count_include_pad = 1,
            pads = [0, 1, 1, 1]> (a)
        c = LpPool <kernel_shape = [2, 2], p = 2> (b)
        y = GlobalAveragePool (c)
        z = GlobalMaxPool (c)
        u = GlobalLpPool <p = 1> (c)
    }""",
    "unpooling": """(float[2, 3, 8, 8] x) => (float y) {
        a, b = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x)
        y = MaxUnpool <kernel_shape = [2, 2], strides = [2, 2]> (a, b)
    }""",
    "normalisations": """(float[N, 4, H, W] x, float[4] w_scale, float[4] w_bias, float[4] w_mean, float[4] w_instance,
        float[4] w_shift) => (float y)
        <float[4] variance = {1.0, 0.5, 2.0, 1.5}> {
        a = BatchNormalization <epsilon = 0.001> (x, w_scale, w_bias, w_mean, variance)
        b = InstanceNormalization (a, w_instance, w_bias)
        c = LRN <size = 3, alpha = 0.001, beta = 0.7, bias = 1.0> (b)
        d = MeanVarianceNormalization <axes = [0, 2, 3]> (c)
        e = LpNormalization <axis = 1, p = 2> (d)
        y = GroupNormalization <num_groups = 2> (e, w_scale, w_shift)
    }""",
    "layer_normalisation": """(float[N, T, 8] x, float[8] w_scale, float[8] w_bias, float[8, 12] w_in, float[12] w_shift,
        float[12, 8] w_out) => (float y) {
        a = LayerNormalization <axis = -1, epsilon = 0.00001> (x, w_scale, w_bias)
        b = MatMul (a, w_in)
        c = Add (b, w_shift)
        d = Gelu <approximate = "tanh"> (c)
        e = MatMul (d, w_out)
        f = Add (e, x)
        y = Softmax <axis = -1> (f)
    }""",
    "lstm": """(float[T, N, 5] x, float[2, 16, 5] w_w, float[2, 16, 4] w_r, float[2, 32] w_b) => (float y) {
        a, h, c = LSTM <hidden_size = 4, direction = "bidirectional"> (x, w_w, w_r, w_b)
        b = Transpose <perm = [2, 0, 1, 3]> (a)
        shape = Constant <value_ints = [0, 0, -1]> ()
        d = Reshape (b, shape)
        axes = Constant <value_ints = [2]> ()
        y = ReduceMean <keepdims = 0> (d, axes)
    }""",
    "gru_and_rnn": """(float[T, N, 5] x, float[1, 12, 5] w_w, float[1, 12, 4] w_r, float[1, 24] w_b, float[1, 3, 4] w_v,
        float[1, 3, 3] w_s, float[1, 6] w_c) => (float y) <int64[1] one = {1}> {
        a, last = GRU <hidden_size = 4, linear_before_reset = 1> (x, w_w, w_r, w_b)
        b = Squeeze (a, one)
        c, end = RNN <hidden_size = 3, activations = ["Tanh"]> (b, w_v, w_s, w_c)
        y = Concat <axis = 2> (last, end)
    }""",
    "gemm": """(float[N, 6] x, float[8, 6] w_a, float[8] w_b, float[8, 3] w_c, float[1, 3] w_d) => (float y) {
        a = Gemm <transB = 1, alpha = 0.5> (x, w_a, w_b)
        b = PRelu (a, w_b)
        c = Gemm <beta = 2.0> (b, w_c, w_d)
        d = Flatten <axis = 1> (c)
        y = LogSoftmax <axis = 1> (d)
    }""",
    "einsum": """(float[N, T, 8] x, float[8, 2, 4] w_q, float[8, 2, 4] w_k) => (float y) {
        a = Einsum <equation = "bsd,dhk->bhsk"> (x, w_q)
        b = Einsum <equation = "bsd,dhk->bhsk"> (x, w_k)
        c = Einsum <equation = "bhsk,bhtk->bhst"> (a, b)
        y = Einsum <equation = "bhst->bst"> (c)
    }""",
    "attention_by_hand": """(float[N, T, 8] x, float[8, 24] w_qkv, float[24] w_b, float[8, 8] w_o) => (float y)
        <int64[3] sizes = {8, 8, 8}, int64[4] heads = {0, 0, 2, 4}, int64[3] flat = {0, 0, 8}> {
        a = MatMul (x, w_qkv)
        b = Add (a, w_b)
        q, k, v = Split <axis = 2> (b, sizes)
        q1 = Reshape (q, heads)
        k1 = Reshape (k, heads)
        v1 = Reshape (v, heads)
        q2 = Transpose <perm = [0, 2, 1, 3]> (q1)
        k2 = Transpose <perm = [0, 2, 3, 1]> (k1)
        v2 = Transpose <perm = [0, 2, 1, 3]> (v1)
        s = MatMul (q2, k2)
        scale = Constant <value_float = 0.5> ()
        t = Mul (s, scale)
        p = Softmax <axis = -1> (t)
        o = MatMul (p, v2)
        o1 = Transpose <perm = [0, 2, 1, 3]> (o)
        o2 = Reshape (o1, flat)
        y = MatMul (o2, w_o)
    }""",
    "attention_23": """(float[N, T, 8] x, float[8, 8] w_q, float[8, 4] w_k, float[8, 4] w_v, float[8] w_s) => (float y) {
        n = RMSNormalization <axis = -1> (x, w_s)
        q = MatMul (n, w_q)
        k = MatMul (n, w_k)
        v = MatMul (n, w_v)
        a = Attention <q_num_heads = 4, kv_num_heads = 2, is_causal = 1> (q, k, v)
        y = Add (a, x)
    }""",
    "indices": """(float[4, T, 3] x, int64[N, 2] i, int64[4, 2, 3] j) => (float y, float z, float u) {
        y = Gather <axis = 1> (x, i)
        a = GatherElements <axis = 1> (x, j)
        z = GatherND (a, i)
        b = ScatterElements <axis = 1, reduction = "add"> (x, j, a)
        u = Identity (b)
    }""",
    "scatter": """(float[4, T, 3] x, float[N, 3] updates, int64[N, 2] i, int64[2] where) => (float y) {
        a = ScatterND <reduction = "none"> (x, i, updates)
        b = Gather <axis = 0> (a, where)
        y = GatherND <batch_dims = 0> (b, i)
    }""",
    "slices": """(float[N, C, H, W] x) => (float y, float z)
        <int64[2] starts = {1, -3}, int64[2] ends = {9223372036854775807, -1}, int64[2] axes = {2, 3},
         int64[2] steps = {2, 1}, int64[8] pads = {0, 0, 1, 2, 0, 0, 1, 0}, int64[4] repeats = {1, 2, 1, 3},
         int64[1] back = {-1}, int64[1] floor = {-9223372036854775807}, int64[1] last = {3}> {
        a = Slice (x, starts, ends, axes, steps)
        b = Pad <mode = "constant"> (a, pads)
        y = Tile (b, repeats)
        z = Slice (x, back, floor, last, back)
    }""",
    "shapes_as_values": """(float[N, C, H, W] x) => (float y) <int64[1] minus = {-1}, int64 two = {2}, int64[1] zero = {0}> {
        s = Shape (x)
        first = Gather <axis = 0> (s, zero)
        tail = Shape <start = 2, end = 4> (x)
        half = Div (tail, two)
        product = ReduceProd <keepdims = 1> (half)
        target = Concat <axis = 0> (first, minus)
        a = Reshape (x, target)
        whole = Concat <axis = 0> (first, product)
        filled = ConstantOfShape <value = float[1] {1.0}> (whole)
        b = ReduceSum <keepdims = 1> (a, minus)
        y = Mul (filled, b)
    }""",
    "ranges": """(float[N, T] x) => (float y) <int64 zero = {0}, int64 one = {1}, int64[1] front = {0}> {
        s = Shape (x)
        t = Gather (s, one)
        r = Range (zero, t, one)
        p = Unsqueeze (r, front)
        f = Cast <to = 1> (p)
        e = Expand (f, s)
        c = Less (e, x)
        y = Where (c, e, x)
    }""",
    "broadcasting": """(float[N, 1, W] x, float[C, 1] b, float[W] w) => (bool y) {
        a = Add (x, b)
        c = Sub (a, w)
        d = Max (a, c, x)
        e = Min (d, b)
        f = Pow (e, w)
        g = Mean (a, c)
        h = Greater (f, g)
        i = Equal (a, c)
        j = Or (h, i)
        k = Xor (j, i)
        l = Not (k)
        y = And (l, h)
    }""",
    "integers": """(int64[N, T] x, int64[T] z) => (int64 y) <int64[1] one = {1}, int64[1] three = {3}> {
        a = Add (x, three)
        b = Mod (a, three)
        c = Mul (b, z)
        d = Div (c, three)
        e = BitwiseAnd (d, one)
        f = BitwiseOr (e, a)
        g = BitwiseXor (f, b)
        h = Abs (g)
        i = Sign (h)
        j = Neg (i)
        y = Clip (j)
    }""",
    "unary": """(float[N, T] x) => (float y) <float low = {0.1}, float high = {5.0}> {
        a = Abs (x)
        b = Clip (a, low, high)
        c = Log (b)
        d = Exp (c)
        e = Sqrt (d)
        f = Reciprocal (e)
        g = Floor (f)
        h = Ceil (x)
        i = Round (h)
        j = Erf (i)
        k = HardSigmoid <alpha = 0.3> (j)
        l = Selu (k)
        m = Elu <alpha = 0.5> (l)
        n = Celu (m)
        o = Softplus (n)
        p = Softsign (o)
        q = ThresholdedRelu (p)
        r = Mish (q)
        s = HardSwish (r)
        t = Sin (s)
        u = Cos (t)
        v = Tan (u)
        y = Add (v, g)
    }""",
    "reductions": """(float[N, C, H, W] x) => (float y, int64 z, float u, float v)
        <int64[2] spatial = {2, 3}, int64[1] channel = {1}> {
        a = ReduceMean <keepdims = 1> (x, spatial)
        b = ReduceMax <keepdims = 0> (x, spatial)
        c = ReduceL2 <keepdims = 1> (b, channel)
        d = ReduceLogSumExp <keepdims = 0> (x, channel)
        e = ReduceSumSquare <keepdims = 0, noop_with_empty_axes = 1> (d)
        f = ReduceMin (e)
        y = Sub (x, a)
        z = ArgMax <axis = 1, keepdims = 0, select_last_index = 1> (y)
        u = ReduceL1 <keepdims = 0> (c)
        v = ReduceLogSum (f)
    }""",
    "selections": """(float[N, T] x, bool[T] keep) => (float y, int64 z, float u, float v)
        <int64[1] k = {3}, int64 axis = {1}> {
        a, i = TopK <axis = 1, largest = 1> (x, k)
        b = CumSum <exclusive = 1, reverse = 0> (a, axis)
        y = Hardmax <axis = 1> (b)
        zero = Constant <value_float = 0.0> ()
        c = Greater (x, zero)
        z = NonZero (c)
        u = Compress <axis = 1> (x, keep)
        v, at, inverse, counts = Unique <sorted = 1> (x)
    }""",
    "one_hot": """(int64[N, T] x, float[5, 6] w_table) => (float y)
        <int64 depth = {5}, float[2] values = {0.0, 1.0}> {
        a = OneHot <axis = -1> (x, depth, values)
        b = MatMul (a, w_table)
        c = Transpose <perm = [0, 2, 1]> (b)
        d = Trilu <upper = 0> (c)
        e = Dropout (d)
        y = Softmax <axis = 1> (e)
    }""",
    "resizing": """(float[N, 4, H, W] x) => (float y)
        <float[4] scales = {1.0, 1.0, 2.0, 1.5}, int64[2] size = {6, 8}, int64[2] crop = {5, 6}> {
        a = Resize <mode = "linear", coordinate_transformation_mode = "half_pixel"> (x, , scales)
        b = Resize <mode = "nearest", nearest_mode = "floor", axes = [2, 3],
            coordinate_transformation_mode = "asymmetric"> (a, , , size)
        c = DepthToSpace <blocksize = 2, mode = "CRD"> (b)
        d = SpaceToDepth <blocksize = 2> (c)
        y = CenterCropPad <axes = [2, 3]> (d, crop)
    }""",
    "grids": """(float[N, 4, H, W] x, float[N, 5, 6, 2] grid) => (float y) {
        a = GridSample <mode = "linear", padding_mode = "border", align_corners = 1> (x, grid)
        y = GlobalAveragePool (a)
    }""",
    "affine_grid": """(float[2, 2, 3] theta, float[2, 4, H, W] x) => (float y) <int64[4] size = {2, 4, 5, 6}> {
        g = AffineGrid <align_corners = 0> (theta, size)
        y = GridSample (x, g)
    }""",
    "regions": """(float[N, 4, H, W] x) => (float y, float z)
        <float[3, 4] rois = {0.0, 0.0, 5.0, 5.0, 1.0, 1.0, 7.0, 8.0, 2.0, 2.0, 6.0, 4.0}, int64[3] batch = {0, 1, 0},
         float[2, 5] boxes = {0.0, 0.0, 0.0, 5.0, 5.0, 1.0, 1.0, 1.0, 7.0, 7.0}> {
        y = RoiAlign <output_height = 3, output_width = 2, sampling_ratio = 2, spatial_scale = 1.0> (x, rois, batch)
        z = MaxRoiPool <pooled_shape = [2, 2]> (x, boxes)
    }""",
    "boxes": """(float[1, T, 4] boxes, float[1, 2, T] scores) => (int64 y)
        <int64 limit = {3}, float overlap = {0.5}, float least = {0.0}> {
        a = NonMaxSuppression <center_point_box = 1> (boxes, scores, limit, overlap, least)
        column = Constant <value_ints = [2]> ()
        y = Gather <axis = 1> (a, column)
    }""",
    "quantised": """(float[N, 4, H, W] x, int8[6, 4, 3, 3] w_k, float[6] w_f) => (float y)
        <float scale = {0.05}, uint8 zero = {128}, float kernel_scale = {0.02}, int8 kernel_zero = {0},
         float out_scale = {0.1}> {
        q = QuantizeLinear (x, scale, zero)
        c = QLinearConv <pads = [1, 1, 1, 1]> (q, scale, zero, w_k, kernel_scale, kernel_zero, out_scale, zero)
        d = DequantizeLinear <axis = 1> (c, out_scale, zero)
        f = Relu (d)
        r, s, t = DynamicQuantizeLinear (f)
        y = DequantizeLinear (r, s, t)
    }""",
    "integer_products": """(uint8[N, T, 8] x, uint8[8, 5] w_b, uint8[N, 4, H, W] image, uint8[3, 4, 2, 2] w_k,
        float[5] w_scales) => (float y, int32 z) <uint8 zero = {2}, float scale = {0.1}, uint8 none = {0}> {
        a = MatMulInteger (x, w_b, zero, none)
        f = Cast <to = 1> (a)
        y = Mul (f, w_scales)
        z = ConvInteger <strides = [2, 2]> (image, w_k, zero)
        q = QLinearMatMul (x, scale, zero, w_b, scale, none, scale, zero)
    }""",
    "branches": """(float[N, 4] x, float[4, 4] w_a, float[4, 4] w_b) => (float y) <float zero = {0.0}> {
        s = ReduceSum <keepdims = 0> (x)
        c = Greater (s, zero)
        r = If (c) <
            then_branch = yes () => (float[N, 4] a) { a = MatMul (x, w_a) },
            else_branch = no () => (float[N, 4] b) { b = MatMul (x, w_b) }
        >
        y = Relu (r)
    }""",
    "loops": """(float[N, 4] x, float[4, 4] w_a) => (float y, float z)
        <int64 trips = {3}, bool go = {1}> {
        last, all = Loop (trips, go, x) <
            body = step (int64 i, bool c, float[N, 4] state) => (bool more, float[N, 4] next, float[N, 4] seen) {
                more = Identity (c)
                next = MatMul (state, w_a)
                seen = Relu (next)
            }
        >
        y = Sigmoid (last)
        z = Transpose <perm = [1, 0, 2]> (all)
    }""",
    "scans": """(float[T, N, 4] x, float[N, 4] start, float[4, 4] w_a) => (float y, float z) {
        y, z = Scan <num_scan_inputs = 1, body = step (float[N, 4] h, float[N, 4] e) => (float[N, 4] next, float[N, 4] seen) {
            m = MatMul (h, w_a)
            next = Add (m, e)
            seen = Tanh (next)
        }> (start, x)
    }""",
    "losses": """(float[N, 5, T] x, int64[N, T] target, float[5] w_w) => (float y, float z) {
        p = LogSoftmax <axis = 1> (x)
        y = NegativeLogLikelihoodLoss <reduction = "mean"> (p, target, w_w)
        z = SoftmaxCrossEntropyLoss <reduction = "none"> (x, target)
    }""",
    "signals": """(float[N, 16, 1] x) => (float y, float z) <int64 step = {4}, int64 length = {8}, int64 axis = {1}> {
        w = HannWindow (length)
        y = STFT <onesided = 1> (x, step, w, length)
        z = DFT <onesided = 0, inverse = 0> (x, length, axis)
    }""",
    "linear_algebra": """(float[N, 4, 4] x, int64[N] lengths, float[N, T, 3] s) => (float y, float z) {
        y = Det (x)
        one = Constant <value_ints = [1]> ()
        more = Add (lengths, one)
        z = ReverseSequence <batch_axis = 0, time_axis = 1> (s, more)
    }""",
    "columns": """(float[N, 12, 12] x) => (float y) <int64[2] size = {4, 6}, int64[2] block = {2, 3}> {
        y = Col2Im <pads = [0, 0, 0, 0], strides = [1, 1]> (x, size, block)
    }""",
    "types": """(float[N, T] x, double[T] d, int32[N, T] i, float16[T] h) => (double y, float16 u, bool v) {
        a = Cast <to = 11> (x)
        b = Add (a, d)
        c = Cast <to = 11> (i)
        y = Mul (b, c)
        e = CastLike (x, h)
        u = Mul (e, h)
        f = IsNaN (x)
        g = IsInf (d)
        v = Or (f, g)
    }""",
    "variadic": """(float[N, C] x, float[N, C] z) => (float y) <int64[2] parts = {2, 2}, int64[1] first = {0}> {
        a = Sum (x, z, x)
        b = Concat <axis = 1> (a, x, z)
        p, q, r = Split <axis = 1, num_outputs = 3> (b)
        c = EyeLike <k = 1> (p)
        d = Add (c, q)
        e = Unsqueeze (d, first)
        f = Squeeze (e, first)
        g = Size (f)
        h = Cast <to = 1> (g)
        y = Div (f, h)
    }""",
}
