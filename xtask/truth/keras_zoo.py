"""More models for `keras_models.py`: graphs with branches, masks and states, models in models, data that is prepared.

Promises `MORE`, functions that make a model each.
"""

import keras
import numpy
from keras import Input, Model, Sequential, layers as L

RANDOM = numpy.random.default_rng(1)


def masks_that_meet():
    words = Input((6,), dtype="int32", name="words")
    others = Input((6,), dtype="int32", name="others")
    embed = L.Embedding(9, 4, mask_zero=True)
    a, b = embed(words), L.Embedding(9, 4, mask_zero=True)(others)
    both = L.Concatenate()([a, b])
    x = L.TimeDistributed(L.Dense(5, activation="tanh"))(both)
    x = L.LSTM(4, return_sequences=True)(x)
    return Model([words, others], [L.GlobalAveragePooling1D()(x), L.GRU(3)(L.Add()([a, b])), x])


def states_passed_on():
    source, target = Input((5, 3), name="source"), Input((4, 2), name="target")
    _, h, c = L.LSTM(4, return_state=True)(source)
    told, state = L.GRU(3, return_state=True)(source)
    x = L.LSTM(4, return_sequences=True)(target, initial_state=[h, c])
    y = L.GRU(3, return_sequences=True, go_backwards=True)(target, initial_state=state)
    return Model([source, target], [L.Dense(2)(x), y, told])


def states_of_both_ways():
    source, target = Input((5, 3)), Input((4, 2))
    x, fh, fc, bh, bc = L.Bidirectional(L.LSTM(3, return_sequences=True, return_state=True))(source)
    h, c = L.Concatenate()([fh, bh]), L.Concatenate()([fc, bc])
    y = L.LSTM(6, return_sequences=True)(target, initial_state=[h, c])
    return Model([source, target], [L.Attention()([y, x]), L.AdditiveAttention()([y, x])])


def films():
    x = Input((4, 6, 6, 2))
    y = L.TimeDistributed(L.Conv2D(3, 3, padding="same", activation="relu"))(x)
    y = L.ConvLSTM2D(3, 3, padding="same", return_sequences=True)(y)
    y = L.ConvLSTM2D(2, 2, strides=2, activation="relu", recurrent_activation="hard_sigmoid")(y)
    return Model(x, L.Dense(2)(L.TimeDistributed(L.Flatten())(y)))


def channels_in_front():
    first = {"data_format": "channels_first"}
    return Sequential([
        Input((3, 9, 9)), L.Conv2D(4, 3, strides=2, **first), L.BatchNormalization(axis=1), L.MaxPooling2D(2, **first),
        L.UpSampling2D(3, **first), L.Conv2DTranspose(2, 2, **first), L.GlobalAveragePooling2D(**first)])


def twins():
    i = Input((8,), name="picture")
    tower = Model(i, L.Dense(3)(L.BatchNormalization()(L.Dense(6, activation="relu")(i))), name="tower")
    a, b = Input((8,), name="a"), Input((8,), name="b")
    x, y = tower(a), tower(b)
    return Model([a, b], [L.Dot(axes=-1, normalize=True)([x, y]), L.Subtract()([x, y])])


def boxes_in_boxes():
    inner = Sequential([Input((4,)), L.Dense(4, activation="relu"), L.Dropout(0.1)], name="block")
    x = Input((4,), name="x")
    middle = Model(x, L.Add()([x, inner(x)]), name="residual")
    return Sequential([Input((6,)), L.Dense(4), middle, Sequential([L.Dense(3), L.LayerNormalization()]), L.Dense(1)])


def by_keys():
    inputs = {"left": Input((3,), name="left"), "right": Input((5,), name="right")}
    x = L.Concatenate()([L.Dense(4)(inputs["left"]), L.Dense(2)(inputs["right"])])
    return Model(inputs, {"class": L.Dense(3, activation="softmax", name="class")(x), "score": L.Dense(1, name="score")(x)})


def hourglass():
    x = Input((8, 8, 1))
    a = L.Conv2D(3, 3, padding="same", activation="relu")(x)
    b = L.Conv2D(4, 3, padding="same", activation="relu")(L.MaxPooling2D()(a))
    c = L.Conv2D(5, 3, padding="same", activation="relu")(L.AveragePooling2D(2)(b))
    d = L.Concatenate()([L.Conv2DTranspose(4, 2, strides=2)(c), b])
    e = L.Concatenate()([L.UpSampling2D(interpolation="bilinear")(L.SeparableConv2D(3, 3, padding="same")(d)), a])
    return Model(x, L.Conv2D(1, 1, activation="sigmoid")(e))


def inception():
    x = Input((7, 7, 3))
    towers = [
        L.Conv2D(2, 1, activation="relu")(x), L.Conv2D(3, 3, padding="same")(L.Conv2D(2, 1)(x)),
        L.Conv2D(2, 5, padding="same")(x), L.Conv2D(2, 1)(L.MaxPooling2D(3, strides=1, padding="same")(x))]
    return Model(x, L.GlobalMaxPooling2D(keepdims=True)(L.Concatenate(axis=-1)(towers)))


def excited():
    x = Input((6, 6, 4))
    y = L.Reshape((1, 1, 4))(L.GlobalAveragePooling2D()(x))
    y = L.Dense(4, activation="sigmoid")(L.Dense(2, activation="silu")(y))
    return Model(x, L.Multiply()([x, y]))


def words_in_windows():
    words = Input((12,), dtype="int32")
    x = L.SpatialDropout1D(0.2)(L.Embedding(8, 5)(words))
    pools = [L.GlobalMaxPooling1D()(L.Conv1D(3, width, activation="relu")(x)) for width in (2, 3, 4)]
    return Model(words, L.Dense(2, activation="log_softmax")(L.Concatenate()(pools)))


def transformer():
    words = Input((6,), dtype="int32")
    places = L.Embedding(9, 8, mask_zero=True)(words)
    x = L.MultiHeadAttention(2, 4, dropout=0.1)(places, places, use_causal_mask=True)
    x = L.LayerNormalization(epsilon=1e-6)(L.Add()([places, x]))
    y = L.Dense(8)(L.Dense(16, activation="gelu")(x))
    x = L.LayerNormalization(epsilon=1e-6)(L.Add()([x, y]))
    return Model(words, L.Dense(9)(x))


def two_axes_of_attention():
    x, y = Input((3, 4, 5)), Input((3, 2, 5))
    a, scores = L.MultiHeadAttention(2, 3, attention_axes=2, output_shape=7)(x, y, return_attention_scores=True)
    return Model([x, y], a)


def pictures_prepared():
    return Sequential([
        Input((9, 11, 3)), L.Resizing(8, 8), L.CenterCrop(6, 7), L.RandomFlip(), L.RandomRotation(0.1),
        L.RandomZoom(0.2), L.RandomContrast(0.3), L.Rescaling([1.0, 2.0, 0.5], offset=-1.0), L.Conv2D(2, 3)])


def tables_prepared():
    age, place = Input((1,), name="age"), Input((1,), dtype="int64", name="place")
    a = L.Discretization(bin_boundaries=[-0.5, 0.0, 1.0], output_mode="one_hot")(age)
    b = L.IntegerLookup(vocabulary=[3, 1, 4], output_mode="multi_hot")(place)
    c = L.CategoryEncoding(9, output_mode="one_hot")(place)
    b = L.Rescaling(1.0)(b)
    return Model([age, place], L.Dense(2)(L.Concatenate()([a, b, c])))


def tables_learned():
    age, place = Input((2,), name="age"), Input((3,), dtype="int64", name="place")
    bins = L.Discretization(num_bins=3)
    bins.adapt(RANDOM.normal(size=(40, 2)))
    scale = L.Normalization()
    scale.adapt(RANDOM.normal(2, 3, size=(40, 2)))
    places = L.IntegerLookup(max_tokens=6)
    places.adapt(RANDOM.integers(0, 8, (40, 3)))
    return Model([age, place], [bins(age), scale(age), L.Embedding(6, 2)(places(place))])


def pipeline():
    steps = L.Pipeline([L.Rescaling(0.5), L.CenterCrop(4, 4), L.RandomFlip()])
    return Sequential([Input((6, 6, 2)), steps, L.Flatten(), L.Dense(2)])


def sounds():
    x = Input((64,))
    a = L.MelSpectrogram(num_mel_bins=4, sampling_rate=100, fft_length=16, sequence_stride=8)(x)
    b = L.STFTSpectrogram(frame_length=8, frame_step=4, fft_length=8, window=None)(L.Reshape((64, 1))(x))
    return Model(x, [a, b])


def states_kept():
    x = Input(batch_shape=(3, 5, 2))
    y = L.LSTM(3, stateful=True, return_sequences=True)(x)
    return Model(x, L.GRU(2, stateful=True)(y))


def unrolled():
    return Sequential([Input((4, 3)), L.LSTM(3, unroll=True, return_sequences=True), L.SimpleRNN(2, unroll=True)])


def noises():
    return Sequential([
        Input((5, 4, 4)), L.GaussianNoise(0.1), L.GaussianDropout(0.2), L.AlphaDropout(0.1), L.SpatialDropout2D(0.3),
        L.ActivityRegularization(0.1), L.Dropout(0.5), L.Flatten(), L.Dense(2)])


def many_functions():
    x = Input((5,))
    names = """relu relu6 leaky_relu elu selu celu gelu silu sigmoid log_sigmoid hard_sigmoid hard_silu hard_tanh
    hard_shrink soft_shrink softplus softsign softmax tanh tanh_shrink exponential mish sparse_plus squareplus glu
    log_softmax sparse_sigmoid sparsemax threshold""".split()
    known = [name for name in names if name not in ("glu", "threshold") and hasattr(keras.activations, name)]
    return Model(x, L.Concatenate()([L.Activation(name)(L.Dense(4, name=f"d_{name}")(x)) for name in known]))


def learned_functions():
    x = Input((4, 5, 3))
    y = L.PReLU(shared_axes=[1, 2])(x)
    y = L.LeakyReLU(negative_slope=0.2)(y)
    y = L.ReLU(max_value=2.0, negative_slope=0.1, threshold=0.5)(y)
    return Model(x, [L.ELU(alpha=0.5)(y), L.Softmax(axis=[1, 2])(y)])


def merges():
    a, b, c = Input((3, 4)), Input((3, 4)), Input((1, 4))
    return Model([a, b, c], [
        L.Average()([a, b, c]), L.Maximum()([a, c]), L.Minimum()([a, b]), L.Dot(axes=(2, 2))([a, b]),
        L.Dot(axes=1)([a, b]), L.Concatenate(axis=1)([a, c, b])])


def words_back():
    words = Input((5,), dtype="int32")
    embed = L.ReversibleEmbedding(9, 4)
    return Model(words, embed(L.Dense(4)(embed(words)), reverse=True))


def pools_that_adapt():
    x, y = Input((7, 6, 3)), Input((9, 2))
    a = L.AdaptiveAveragePooling2D((3, 2))(x)
    b = L.AdaptiveMaxPooling2D(2)(x)
    return Model([x, y], [a, b, L.AdaptiveMaxPooling1D(4)(y), L.AdaptiveAveragePooling1D(5)(y)])


def borders():
    line, volume = Input((7, 3)), Input((4, 5, 6, 2))
    a = L.UpSampling1D(2)(L.Cropping1D((1, 2))(L.ZeroPadding1D((2, 0))(line)))
    b = L.Cropping3D(((1, 0), (0, 1), (2, 1)))(L.ZeroPadding3D(1)(L.UpSampling3D((1, 2, 1))(volume)))
    return Model([line, volume], [L.Reshape((-1, 2, 3))(a), L.Permute((4, 1, 3, 2))(b)])


def equations():
    x = Input((4, 6))
    y = L.EinsumDense("abc,cde->abde", output_shape=(None, 3, 2), bias_axes="de")(x)
    return Model(x, [y, L.EinsumDense("...x,xy->...y", output_shape=5, activation="relu")(x)])


def open_lengths():
    x = Input((None, 4))
    y = L.Conv1D(5, 3, padding="same", activation="relu")(x)
    y = L.Bidirectional(L.LSTM(3, return_sequences=True))(y)
    return Model(x, [L.GlobalMaxPooling1D()(y), L.TimeDistributed(L.Dense(2))(y)])


def one_layer_often():
    x = Input((4,))
    layer, norm = L.Dense(4, activation="tanh"), L.BatchNormalization()
    y = x
    for _ in range(3):
        y = norm(layer(y))
    return Model(x, y)


def frames():
    eye = Sequential([Input((6, 6, 1)), L.Conv2D(2, 3, activation="relu"), L.MaxPooling2D(), L.Flatten()], name="eye")
    return Sequential([Input((4, 6, 6, 1)), L.TimeDistributed(eye), L.GRU(3), L.Dense(2)])


def grouped():
    return Sequential([
        Input((8, 8, 4)), L.Conv2D(8, 3, groups=4), L.GroupNormalization(groups=2), L.DepthwiseConv2D(3, strides=2),
        L.Conv2D(2, 1, use_bias=False), L.SpectralNormalization(L.Conv2D(3, 2)), L.GlobalAveragePooling2D()])


MORE = [
    masks_that_meet, states_passed_on, states_of_both_ways, films, channels_in_front, twins, boxes_in_boxes, by_keys,
    hourglass, inception, excited, words_in_windows, transformer, two_axes_of_attention, pictures_prepared,
    tables_prepared, tables_learned, pipeline, sounds, states_kept, unrolled, noises, many_functions,
    learned_functions, merges, words_back, pools_that_adapt, borders, equations, open_lengths, one_layer_often, frames,
    grouped]
