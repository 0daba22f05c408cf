"""Puts one bug into Keras, and then runs what Python would have run: the wrapped backend of `cargo xtask detection`.

Promises that only the named layer computes differently, and only in the way its entry says. The kinds are those known
from the literature on bugs in deep-learning libraries.

usage: keras_bugs.py BUG -c SCRIPT        as `python -c SCRIPT`, with the bug
       keras_bugs.py --list               a line for each: name, layer, what is wrong
"""

import functools
import os
import sys

BUGS = {}


def bug(layer, words):
    def register(patch):
        BUGS[patch.__name__] = (layer, words, patch)
        return patch

    return register


def after(layer, change):
    """What the layer gives is changed: `change(self, inputs, outputs)`."""
    original = layer.call

    @functools.wraps(original)
    def call(self, inputs, *rest, **named):
        return change(self, inputs, original(self, inputs, *rest, **named))

    layer.call = call


def before(layer, change):
    """What the layer is given is changed: `change(self, inputs)`."""
    original = layer.call

    @functools.wraps(original)
    def call(self, inputs, *rest, **named):
        return original(self, change(self, inputs), *rest, **named)

    layer.call = call


def pretending(layer, **attributes):
    """While it computes, the layer has other attributes; a function makes one from the layer."""
    original = layer.call

    @functools.wraps(original)
    def call(self, *rest, **named):
        kept = {name: getattr(self, name) for name in attributes}
        for name, value in attributes.items():
            object.__setattr__(self, name, value(self) if callable(value) else value)
        try:
            return original(self, *rest, **named)
        finally:
            for name, value in kept.items():
                object.__setattr__(self, name, value)

    layer.call = call


# Arguments that are not heeded, or wrongly.


@bug("ReLU", "the threshold is not heeded")
def relu_threshold(layers, ops):
    pretending(layers.ReLU, threshold=0.0)


@bug("ReLU", "the largest value is not heeded")
def relu_max_value(layers, ops):
    pretending(layers.ReLU, max_value=None)


@bug("LeakyReLU", "the slope is always 0.3")
def leaky_relu_slope(layers, ops):
    pretending(layers.LeakyReLU, negative_slope=0.3)


@bug("Softmax", "the axis is always the last")
def softmax_axis(layers, ops):
    pretending(layers.Softmax, axis=-1)


@bug("Conv2D", "the dilation is not heeded where it does not change the shape")
def conv2d_dilation(layers, ops):
    pretending(layers.Conv2D, dilation_rate=lambda self: (1, 1) if self.padding == "same" else self.dilation_rate)


@bug("SimpleRNN", "the sequence is never walked backwards")
def simple_rnn_backwards(layers, ops):
    pretending(layers.SimpleRNN, go_backwards=False)


@bug("Dot", "the vectors are not normalized")
def dot_normalize(layers, ops):
    pretending(layers.Dot, normalize=False)


@bug("Rescaling", "the offset is not added")
def rescaling_offset(layers, ops):
    pretending(layers.Rescaling, offset=0.0)


@bug("Masking", "the value to mask is always 0")
def masking_value(layers, ops):
    pretending(layers.Masking, mask_value=0.0)


@bug("GlobalMaxPooling1D", "`keepdims` is not heeded")
def pooling_keepdims(layers, ops):
    pretending(layers.GlobalMaxPooling1D, keepdims=False)


# Borders and places.


@bug("Conv1D", "causal padding looks into the future")
def causal_padding(layers, ops):
    def reversed_time(self, x):
        axis = 1 if self.data_format == "channels_last" else 2
        return ops.flip(x, axis=axis) if self.padding == "causal" else x

    before(layers.Conv1D, reversed_time)
    after(layers.Conv1D, lambda self, _, y: reversed_time(self, y))


@bug("Conv2D", "padding to the same size is off by one row")
def same_padding(layers, ops):
    after(layers.Conv2D, lambda self, _, y: ops.roll(y, 1, axis=1 if self.data_format == "channels_last" else 2) if self.padding == "same" else y)


@bug("MaxPooling2D", "the border counts as zero")
def max_border(layers, ops):
    after(layers.MaxPooling2D, lambda self, _, y: ops.maximum(y, ops.zeros_like(y)) if self.padding == "same" else y)


@bug("AveragePooling1D", "the border counts in the mean")
def average_border(layers, ops):
    def with_border(self, x, y):
        axis = 1 if self.data_format == "channels_last" else 2
        full = self.pool_size[0] if isinstance(self.pool_size, (tuple, list)) else self.pool_size
        if self.padding != "same" or x.shape[axis] is None or x.shape[axis] >= full:
            return y
        return y * (x.shape[axis] / full)

    after(layers.AveragePooling1D, with_border)


@bug("Cropping1D", "cropping starts one later and ends one later")
def cropping_shift(layers, ops):
    after(layers.Cropping1D, lambda self, x, y: x[:, x.shape[1] - y.shape[1]:] if self.cropping[0] > 0 else y)


@bug("ZeroPadding2D", "left and right are swapped")
def padding_sides(layers, ops):
    pretending(layers.ZeroPadding2D, padding=lambda self: (self.padding[0], tuple(reversed(self.padding[1]))))


@bug("UpSampling2D", "each element is repeated one place too late")
def up_sampling_shift(layers, ops):
    after(layers.UpSampling2D, lambda self, _, y: ops.roll(y, 1, axis=1 if self.data_format == "channels_last" else 2))


@bug("Conv2DTranspose", "the output is off by one where steps are longer than one")
def transpose_shift(layers, ops):
    after(layers.Conv2DTranspose, lambda self, _, y: ops.roll(y, 1, axis=2) if max(self.strides) > 1 else y)


@bug("Embedding", "indices count from one")
def embedding_from_one(layers, ops):
    before(layers.Embedding, lambda self, x: ops.maximum(ops.cast(x, "int32") - 1, 0))


# Weights.


@bug("Dense", "the bias is dropped")
def dense_bias(layers, ops):
    pretending(layers.Dense, bias=None)


@bug("Conv2D", "rows and columns of the kernel are swapped")
def conv2d_transposed(layers, ops):
    def swapped(self, inputs, y):
        if self.kernel_size[0] != self.kernel_size[1] or self.kernel_size[0] == 1 or self.data_format != "channels_last":
            return y
        turned = ops.conv(inputs, ops.transpose(self.kernel, (1, 0, 2, 3)), strides=self.strides, padding=self.padding, dilation_rate=self.dilation_rate, data_format=self.data_format)
        if self.use_bias:
            turned = turned + self.bias
        return self.activation(turned) if self.activation is not None else turned

    after(layers.Conv2D, swapped)


@bug("DepthwiseConv2D", "the channels of a multiplier are in another order")
def depthwise_order(layers, ops):
    def reordered(self, _, y):
        if self.depth_multiplier == 1 or self.data_format != "channels_last":
            return y
        shape = ops.shape(y)
        parts = ops.reshape(y, (*shape[:-1], -1, self.depth_multiplier))
        return ops.reshape(ops.swapaxes(parts, -1, -2), shape)

    after(layers.DepthwiseConv2D, reordered)


@bug("LSTM", "the gates that take in and that forget are swapped")
def lstm_gates(layers, ops):
    cell = layers.LSTMCell
    original = cell._compute_carry_and_output_fused

    def swapped(self, z, c_tm1):
        return original(self, (z[1], z[0], z[2], z[3]), c_tm1)

    cell._compute_carry_and_output_fused = swapped
    # Whatever shortcut the backend has would not go through the cell.
    keras_backend().lstm = not_implemented


@bug("GRU", "`reset_after` is not heeded")
def gru_reset(layers, ops):
    cell = layers.GRUCell
    original = cell.call

    @functools.wraps(original)
    def call(self, inputs, states, training=False):
        h = states[0] if isinstance(states, (list, tuple)) else states
        output, state = original(self, inputs, states, training)
        return (output + 0.25 * h, state) if self.reset_after else (output, state)

    cell.call = call
    keras_backend().gru = not_implemented


@bug("PReLU", "what is positive is scaled, too")
def prelu_positive(layers, ops):
    after(layers.PReLU, lambda self, x, y: x * self.alpha)


# Numbers.


@bug("BatchNormalization", "epsilon is added to the deviation instead of the variance")
def epsilon_place(layers, ops):
    def normalized(self, inputs, y):
        shape = [1] * len(inputs.shape)
        shape[self.axis] = inputs.shape[self.axis]
        deviation = ops.sqrt(self.moving_variance)
        scale = 1.0 / (deviation + self.epsilon)
        z = (inputs - ops.reshape(self.moving_mean, shape)) * ops.reshape(scale, shape)
        if self.scale:
            z = z * ops.reshape(self.gamma, shape)
        if self.center:
            z = z + ops.reshape(self.beta, shape)
        return ops.cast(z, y.dtype)

    after(layers.BatchNormalization, normalized)


@bug("LayerNormalization", "the variance is divided by one less than there are")
def variance_of_sample(layers, ops):
    def sampled(self, inputs, y):
        axes = self.axis if isinstance(self.axis, (list, tuple)) else [self.axis]
        count = 1
        for axis in axes:
            count *= inputs.shape[axis]
        if count is None or count < 2 or self.scale or self.center:
            return y
        return y * ((count - 1) / count) ** 0.5

    after(layers.LayerNormalization, sampled)


@bug("UnitNormalization", "the sum of magnitudes is made 1 instead of the sum of squares")
def unit_of_magnitudes(layers, ops):
    after(layers.UnitNormalization, lambda self, x, y: x / (ops.sum(ops.abs(x), axis=self.axis, keepdims=True) + 1e-12))


@bug("Average", "what is many is divided by two")
def average_of_two(layers, ops):
    after(layers.Average, lambda self, x, y: y * (len(x) / 2))


@bug("Dense", "products are accumulated in half precision")
def half_accumulation(layers, ops):
    after(layers.Dense, lambda self, _, y: ops.cast(ops.cast(y, "float16"), y.dtype))


@bug("GlobalAveragePooling1D", "the mask is not heeded")
def mask_ignored(layers, ops):
    layer = layers.GlobalAveragePooling1D
    original = layer.call

    @functools.wraps(original)
    def call(self, inputs, mask=None):
        return original(self, inputs)

    layer.call = call


@bug("Concatenate", "the tensors are put together in the other order")
def concatenate_order(layers, ops):
    before(layers.Concatenate, lambda self, x: list(reversed(x)))


@bug("Permute", "the axes go back instead of forth")
def permute_inverse(layers, ops):
    def inverse(self):
        return tuple(self.dims.index(k + 1) + 1 for k in range(len(self.dims)))

    pretending(layers.Permute, dims=inverse)


# Parts of an argument that are taken for each other: they only show where the parts differ.


@bug("ZeroPadding1D", "both ends are swapped")
def padding_ends(layers, ops):
    pretending(layers.ZeroPadding1D, padding=lambda self: tuple(reversed(self.padding)))


@bug("ZeroPadding3D", "the first two axes are swapped where their sum is the same")
def padding_axes(layers, ops):
    def swapped(self):
        first, second, third = self.padding
        return (second, first, third) if sum(first) == sum(second) else self.padding

    pretending(layers.ZeroPadding3D, padding=swapped)


@bug("Cropping2D", "top and bottom are swapped")
def cropping_sides(layers, ops):
    pretending(layers.Cropping2D, cropping=lambda self: (tuple(reversed(self.cropping[0])), self.cropping[1]))


@bug("MaxPooling2D", "height and width of the window are swapped where the shape stays the same")
def pool_axes(layers, ops):
    pretending(layers.MaxPooling2D, pool_size=lambda self: tuple(reversed(self.pool_size)) if self.padding == "same" else self.pool_size)


@bug("Conv2D", "the steps along both axes are swapped")
def conv2d_strides(layers, ops):
    pretending(layers.Conv2D, strides=lambda self: tuple(reversed(self.strides)))


@bug("Dot", "the axes are swapped where that is possible")
def dot_axes(layers, ops):
    def swapped(self, inputs):
        a, b = self.axes if isinstance(self.axes, (list, tuple)) else (self.axes, self.axes)
        x, y = inputs
        return len(x.shape) == len(y.shape) == 3 and x.shape[b] == y.shape[a] and x.shape[a] == y.shape[b]

    original = layers.Dot.call

    @functools.wraps(original)
    def call(self, inputs):
        if not isinstance(self.axes, int) and swapped(self, inputs):
            kept, self.axes = self.axes, tuple(reversed(self.axes))
            try:
                return original(self, inputs)
            finally:
                self.axes = kept
        return original(self, inputs)

    layers.Dot.call = call


# Masks, states and what goes with the first tensor.


def unmasked(layer, name="mask"):
    """The layer is called as if nothing had been masked."""
    original = layer.call

    @functools.wraps(original)
    def call(self, *rest, **named):
        if name in named:
            named[name] = None
        return original(self, *rest, **named)

    layer.call = call


@bug("LSTM", "the mask is not heeded")
def lstm_mask(layers, ops):
    unmasked(layers.LSTM)


@bug("Softmax", "the mask is not heeded")
def softmax_mask(layers, ops):
    unmasked(layers.Softmax)


@bug("MultiHeadAttention", "the mask of attention is not heeded")
def attention_mask(layers, ops):
    unmasked(layers.MultiHeadAttention, "attention_mask")


@bug("Attention", "what lies in the future is attended to, though it should not be")
def attention_causal(layers, ops):
    original = layers.Attention.call

    @functools.wraps(original)
    def call(self, *rest, **named):
        if "use_causal_mask" in named:
            named["use_causal_mask"] = False
        return original(self, *rest, **named)

    layers.Attention.call = call


@bug("GRU", "the first state is not heeded")
def gru_state(layers, ops):
    original = layers.GRU.call

    @functools.wraps(original)
    def call(self, sequences, initial_state=None, mask=None, training=False):
        return original(self, sequences, mask=mask, training=training)

    layers.GRU.call = call


@bug("Bidirectional", "both directions are joined the other way round")
def bidirectional_order(layers, ops):
    def turned(self, _, y):
        if self.merge_mode != "concat":
            return y
        first, *rest = y if isinstance(y, (list, tuple)) else [y]
        half = first.shape[-1] // 2
        first = ops.concatenate([first[..., half:], first[..., :half]], axis=-1)
        return (first, *rest) if isinstance(y, (list, tuple)) else first

    after(layers.Bidirectional, turned)


# Values of arguments that are seldom given.


@bug("Flatten", "`data_format` is not heeded")
def flatten_layout(layers, ops):
    pretending(layers.Flatten, _channels_first=False)


@bug("GroupNormalization", "there is always one group")
def one_group(layers, ops):
    pretending(layers.GroupNormalization, groups=1)


@bug("Maximum", "only two tensors are looked at")
def maximum_of_two(layers, ops):
    original = layers.Maximum._merge_function

    def merged(self, inputs):
        return original(self, inputs[:2])

    layers.Maximum._merge_function = merged


@bug("UnitNormalization", "of several axes only the first is heeded")
def unit_axes(layers, ops):
    pretending(layers.UnitNormalization, axis=lambda self: self.axis[:1] if isinstance(self.axis, (list, tuple)) else self.axis)


# Processes.


@bug("Flatten", "the process dies on more than four axes")
def flatten_dies(layers, ops):
    def die(self, x):
        if len(x.shape) > 4:
            os.abort()
        return x

    before(layers.Flatten, die)


@bug("RepeatVector", "it never ends where a vector is repeated more than twice")
def repeat_hangs(layers, ops):
    def hang(self, x):
        while self.n > 2:
            pass
        return x

    before(layers.RepeatVector, hang)


def keras_backend():
    from keras.src import backend

    return backend


def not_implemented(*arguments, **named):
    raise NotImplementedError


def main():
    if sys.argv[1] == "--list":
        for name, (layer, words, _) in BUGS.items():
            print(f"{name}\t{layer}\t{words}")
        return
    name, script = sys.argv[1], sys.argv[3]
    # What the framework prints while it is imported is not an answer.
    answers = os.dup(1)
    os.dup2(2, 1)
    import keras

    BUGS[name][2](keras.layers, keras.ops)
    os.dup2(answers, 1)
    exec(compile(script, "<script>", "exec"), {"__name__": "__main__"})


main()
