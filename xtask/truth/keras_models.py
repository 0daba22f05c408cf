"""Makes small Keras models, saves them in every format, and records what they predict.

Promises, for each model NAME in FOLDER: NAME.keras, NAME.h5 where Keras can write it, and NAME.npz with `input_0`,
`output_0` and so on, in the order of the model's inputs and outputs. Weights are drawn, so that no bias is zero and no
variance is one. Prints one name a line.
Also files whose weights do not fit their architecture: BAD.keras, listed as `refused BAD` if Keras cannot load it and
as `loads BAD` otherwise.

usage: keras_models.py FOLDER
"""

import json
import logging
import os
import pathlib
import sys
import zipfile

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import absl.logging  # noqa: E402
import h5py  # noqa: E402
import keras  # noqa: E402
import numpy  # noqa: E402
from keras import Input, Model, Sequential, layers as L  # noqa: E402
from keras_zoo import MORE  # noqa: E402

absl.logging.set_verbosity(absl.logging.ERROR)
logging.getLogger("tensorflow").setLevel(logging.ERROR)
RANDOM = numpy.random.default_rng(0)


def mlp():
    return Sequential([Input((8,)), L.Dense(6, activation="relu"), L.Dropout(0.5), L.Dense(3, activation="softmax")])


def mlp_without_biases():
    return Sequential([Input((5,)), L.Dense(4, use_bias=False), L.PReLU(), L.Dense(2, activation="gelu")])


def normalized():
    return Sequential([
        Input((6, 4)), L.BatchNormalization(center=False), L.Dense(5), L.LayerNormalization(scale=False),
        L.BatchNormalization(scale=False, axis=1), L.UnitNormalization(), L.GroupNormalization(5),
        L.RMSNormalization(), L.BatchNormalization(center=False, scale=False)])


def frozen():
    model = Sequential([Input((4,)), L.BatchNormalization(trainable=False), L.Dense(3), L.BatchNormalization()])
    model.layers[2].trainable = False
    return model


def cnn():
    return Sequential([
        Input((12, 12, 3)), L.Rescaling(1 / 255, offset=-0.5), L.Conv2D(4, 3, activation="relu", padding="same"),
        L.MaxPooling2D(), L.SeparableConv2D(5, 2), L.DepthwiseConv2D(2, depth_multiplier=2), L.BatchNormalization(),
        L.ReLU(), L.GlobalAveragePooling2D(), L.Dense(2)])


def cnn_with_jumps():
    return Sequential([
        Input((9, 10, 4)), L.ZeroPadding2D(((1, 0), (2, 1))), L.Conv2D(6, (3, 2), strides=(2, 1), groups=2),
        L.Conv2D(3, 2, dilation_rate=2), L.UpSampling2D(2), L.Conv2DTranspose(2, 3, strides=2, padding="same"),
        L.Cropping2D(1), L.AveragePooling2D(2, padding="same"), L.Flatten(), L.Dense(1, activation="sigmoid")])


def other_spaces():
    line = Input((16, 3), name="line")
    volume = Input((5, 6, 4, 2), name="volume")
    a = L.Conv1D(4, 3, padding="causal")(line)
    a = L.SeparableConv1D(3, 2)(a)
    a = L.Conv1DTranspose(3, 2)(a)
    a = L.GlobalMaxPooling1D()(L.AveragePooling1D(2)(a))
    b = L.Conv3D(3, 2)(volume)
    b = L.GlobalAveragePooling3D()(L.MaxPooling3D(2)(b))
    return Model([line, volume], L.Dense(2)(L.Multiply()([a, b])))


def residual():
    x = Input((8, 8, 3))
    y = L.Conv2D(8, 3, padding="same", use_bias=False)(x)
    y = L.BatchNormalization()(y)
    y = L.Activation("relu")(y)
    shortcut = y
    for _ in range(2):
        y = L.Conv2D(8, 3, padding="same", use_bias=False)(y)
        y = L.BatchNormalization()(y)
        y = L.ReLU(max_value=6.0)(y)
    y = L.Add()([y, shortcut])
    y = L.GlobalAveragePooling2D()(y)
    return Model(x, L.Dense(5, activation="softmax")(y))


def shared_layers():
    a, b = Input((4,), name="left"), Input((4,), name="right")
    shared = L.Dense(3, activation="tanh", name="shared")
    x, y = shared(a), shared(b)
    return Model([a, b], [L.Subtract()([x, y]), L.Concatenate()([x, y]), L.Dot(1)([x, y])])


def models_inside_models():
    first = Sequential([Input((4,)), L.Dense(5), L.Dense(4)], name="first")
    i = Input((4,), name="in")
    deepest = Model(i, L.Dense(4, name="bottom")(L.BatchNormalization()(i)), name="deepest")
    j = Input((4,), name="middle_in")
    second = Sequential([Input((4,)), L.Dense(4), L.PReLU()], name="second")
    middle = Model(j, [deepest(second(j)), second(j)], name="middle")
    x = Input((4,), name="x")
    a, b = middle(first(x))
    c, d = middle(first(b))
    return Model(x, [L.Average()([a, c]), first(d), d])


def ends_in_a_model():
    i = Input((3,))
    inner = Model(i, L.Dense(2)(i), name="inner")
    x = Input((3,))
    return Model(x, inner(x))


def sequences():
    return Sequential([
        Input((7,), dtype="int32"), L.Embedding(10, 4, mask_zero=True), L.LSTM(5, return_sequences=True),
        L.GRU(4, return_sequences=True), L.SimpleRNN(3, activation="relu"), L.Dense(2)])


def masked_sequences():
    return Sequential([
        Input((6, 3)), L.Masking(0.5), L.LSTM(4, return_sequences=True, go_backwards=True),
        L.LSTM(3, use_bias=False, recurrent_activation="hard_sigmoid"), L.Dense(1)])


def older_gru():
    return Sequential([Input((5, 3)), L.GRU(4, reset_after=False, return_sequences=True), L.GRU(2, use_bias=False)])


def embedding_bag():
    words = Input((9,), dtype="int64", name="words")
    x = L.GlobalAveragePooling1D()(L.Embedding(20, 6)(words))
    return Model(words, L.Dense(3)(x))


def shapes_only():
    x = Input((4, 6))
    y = L.Permute((2, 1))(x)
    y = L.Reshape((3, 8))(y)
    z = L.RepeatVector(3)(L.Flatten()(y))
    return Model(x, [y, z, L.Concatenate(axis=-1)([y, z])])


def both_ways():
    return Sequential([
        Input((6, 3)), L.Bidirectional(L.LSTM(4, return_sequences=True)),
        L.Bidirectional(L.GRU(2), merge_mode="sum"), L.Dense(2)])


def over_time():
    return Sequential([Input((5, 6)), L.TimeDistributed(L.Dense(3)), L.TimeDistributed(L.BatchNormalization())])


def cells():
    return Sequential([
        Input((5, 3)), L.RNN([L.LSTMCell(4), L.GRUCell(3), L.LSTMCell(2)], return_sequences=True),
        L.RNN(L.SimpleRNNCell(3))])


def attention():
    x = Input((5, 8))
    y = L.MultiHeadAttention(2, 4)(x, x)
    y = L.LayerNormalization()(L.Add()([x, y]))
    return Model(x, L.Dense(2)(L.GlobalAveragePooling1D()(y)))


def gated_attention():
    x, y = Input((5, 6)), Input((4, 8))
    a = L.MultiHeadAttention(2, 3, value_dim=4, use_gate=True)(x, y)
    b = L.GroupQueryAttention(4, 4, 2)(x, x)
    c = L.Attention(use_scale=True)([a, b])
    return Model([x, y], [L.AdditiveAttention()([a, b]), c])


def wrapped_twice():
    return Sequential([
        Input((4, 5, 3)), L.TimeDistributed(L.Bidirectional(L.LSTM(2, return_sequences=True))),
        L.TimeDistributed(L.TimeDistributed(L.Dense(3))), L.ConvLSTM1D(2, 2), L.Flatten(),
        L.SpectralNormalization(L.Dense(4)), L.Dense(1)])


def other_way_back():
    x = Input((5, 2))
    y = L.Bidirectional(L.LSTM(3), backward_layer=L.GRU(3, go_backwards=True))(x)
    z = L.Bidirectional(L.RNN([L.LSTMCell(3), L.GRUCell(2)]))(x)
    return Model(x, L.Concatenate()([y, z]))


def spectral():
    return Sequential([Input((6,)), L.SpectralNormalization(L.Dense(4)), L.Dense(2)])


def preprocessed():
    normalization = L.Normalization(mean=[1.0, 2.0, 3.0], variance=[1.0, 4.0, 9.0])
    adapted = L.Normalization()
    adapted.adapt(RANDOM.normal(3, 2, (50, 3)))
    return Sequential([Input((3,)), normalization, adapted, L.Dense(2)])


def einsum():
    return Sequential([Input((4, 6)), L.EinsumDense("abc,cd->abd", output_shape=(None, 5), bias_axes="d"), L.Dense(1)])


def halves():
    with_policy = keras.DTypePolicy("mixed_float16")
    return Sequential([
        Input((8,)), L.Dense(6, activation="relu", dtype=with_policy), L.Dense(3, dtype="float32")])


def halves_of_many_kinds():
    keras.config.set_dtype_policy("mixed_float16")
    model = Sequential([
        Input((6, 6, 2)), L.Conv2D(4, 3, activation="relu"), L.BatchNormalization(), L.MaxPooling2D(),
        L.Reshape((4, 4)), L.LayerNormalization(), L.GlobalAveragePooling1D(), L.Dense(3, activation="softmax")])
    keras.config.set_dtype_policy("float32")
    return model


def shorter_halves():
    with_policy = keras.DTypePolicy("mixed_bfloat16")
    x = Input((4,))
    y = L.Dense(4, dtype=with_policy)(x)
    return Model(x, [L.Add(dtype=with_policy)([x, y]), L.Dense(2)(y)])


def operations():
    x, y = Input((4, 3)), Input((4, 3))
    z = L.Dense(3)(x + y) * L.Dense(3)(x - y)
    return Model([x, y], keras.ops.maximum(z, x))


def doubles():
    return Sequential([Input((4,), dtype="float64"), L.Dense(3, dtype="float64"), L.BatchNormalization(dtype="float64")])


def mobile():
    return keras.applications.MobileNetV2((32, 32, 3), alpha=0.35, weights=None, classes=5)


def trained():
    model = Sequential([Input((4,)), L.Dense(3, activation="relu"), L.BatchNormalization(), L.Dropout(0.3), L.Dense(1)])
    model.compile("adam", "mse", metrics=["mae"])
    model.fit(RANDOM.normal(size=(16, 4)), RANDOM.normal(size=(16, 1)), verbose=0)
    return model


MODELS = [
    mlp, mlp_without_biases, normalized, frozen, cnn, cnn_with_jumps, other_spaces, residual, shared_layers,
    models_inside_models, ends_in_a_model, sequences, masked_sequences, older_gru, embedding_bag, shapes_only,
    both_ways, over_time, cells, attention, gated_attention,
    wrapped_twice, other_way_back, spectral, preprocessed, einsum, halves, halves_of_many_kinds,
    shorter_halves, operations, doubles, mobile, trained]


def drawn(variable):
    """Values of a weight: positive where it is a variance."""
    values = RANDOM.normal(0, 0.5, variable.shape)
    return numpy.abs(values) + 0.1 if "variance" in variable.path else values


def data(tensor, batch=3, length=7):
    shape = [(length if axis else batch) if size is None else size for axis, size in enumerate(tensor.shape)]
    if "int" in str(tensor.dtype):
        return RANDOM.integers(0, 8, shape).astype(tensor.dtype)
    # Keras rounds what it is given to float32, whatever the model takes.
    values = RANDOM.normal(size=shape).astype("float32").astype(tensor.dtype)
    # Steps that a mask hides.
    if len(shape) == 3:
        values[0, -2:] = 0.5
    return values


def predicted(model, inputs):
    """What a model predicts, in the order of its outputs; states that are kept start anew."""
    for layer in model._flatten_layers():
        if getattr(layer, "stateful", False):
            layer.reset_state()
    # A Sequential has one input, and may not know it before it is called.
    if isinstance(getattr(model, "_inputs_struct", None), dict):
        names = [tensor.name for tensor in model.inputs]
        return keras.tree.flatten(model.predict(dict(zip(names, inputs, strict=True)), verbose=0))
    return keras.tree.flatten(model.predict(inputs if len(inputs) > 1 else inputs[0], verbose=0))


def record(folder, make):
    keras.utils.clear_session()
    name, model = make.__name__, make()
    for variable in model.weights:
        # What a layer has seen of its data is not for us to draw.
        if variable.path.split("/")[-1] not in ("count", "mean", "variance"):
            variable.assign(drawn(variable).astype(variable.dtype))
    inputs = [data(tensor) for tensor in model.inputs]
    outputs = predicted(model, inputs)
    model.save(folder / f"{name}.keras")
    try:
        model.save(folder / f"{name}.h5")
    except Exception:  # Not everything has a place in the older format.
        (folder / f"{name}.h5").unlink(missing_ok=True)
    arrays = {f"input_{k}": array for k, array in enumerate(inputs)}
    arrays.update((f"output_{k}", numpy.asarray(array)) for k, array in enumerate(outputs))
    again = keras.saving.load_model(folder / f"{name}.keras", compile=False)
    if not all(numpy.array_equal(a, b) for a, b in zip(outputs, predicted(again, inputs), strict=True)):
        raise SystemExit(f"{name}: the file says something else than the model")
    numpy.savez(folder / f"{name}.npz", **arrays)
    print(f"model {name}")


def changed(source, target, change):
    """A copy of an archive whose weights are changed."""
    weights = target.with_suffix(".weights.h5")
    with zipfile.ZipFile(source) as archive:
        entries = {entry: archive.read(entry) for entry in archive.namelist()}
    weights.write_bytes(entries["model.weights.h5"])
    with h5py.File(weights, "a") as file:
        change(file)
    entries["model.weights.h5"] = weights.read_bytes()
    weights.unlink()
    with zipfile.ZipFile(target, "w") as archive:
        for entry, content in entries.items():
            archive.writestr(entry, content)


def replace(path, shape):
    def change(file):
        del file[path]
        file[path] = numpy.zeros(shape, "float32")

    return change


def remove(path):
    def change(file):
        del file[path]

    return change


def add(path, shape):
    def change(file):
        file[path] = numpy.zeros(shape, "float32")

    return change


BAD = {
    "another_shape": ("mlp", replace("layers/dense/vars/0", (8, 7))),
    "another_rank": ("cnn", replace("layers/conv2d/vars/0", (3, 3, 3))),
    "no_bias": ("mlp", remove("layers/dense_1/vars/1")),
    "no_layer": ("mlp", remove("layers/dense_1")),
    "one_too_many": ("mlp", add("layers/dense/vars/2", (3,))),
    "no_cell": ("sequences", remove("layers/lstm/cell")),
    "another_cell": ("sequences", replace("layers/gru/cell/vars/2", (12,))),
    "another_inner": ("models_inside_models", replace("layers/sequential/layers/dense_1/vars/1", (5,))),
    "unasked": ("mlp", add("layers/dense_2/vars/0", (3,))),
    "scalar": ("normalized", replace("layers/batch_normalization/vars/0", ())),
}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for make in MODELS + MORE:
        record(folder, make)
    for name, (of, change) in BAD.items():
        target = folder / f"bad_{name}.keras"
        changed(folder / f"{of}.keras", target, change)
        try:
            keras.saving.load_model(target)
            print(f"loads bad_{name}")
        except Exception as error:
            print(f"refused bad_{name} {json.dumps(str(error)[:200])}")


main()
