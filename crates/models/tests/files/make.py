"""Makes the Keras files beside it: python make.py

`small.keras` and `small.h5` are what Keras 3 saves of one model, a Functional one inside another; `former.h5` is
laid out as Keras 2 did it: names of weights end in `:0`, texts have a fixed length, calls are counted from 1 for
models inside models.
"""

import json
import pathlib

import h5py
import keras
import numpy
from keras import layers

HERE = pathlib.Path(__file__).parent


def small():
    inner_input = keras.Input((3,), name="inner_input")
    inner = keras.Model(inner_input, layers.Dense(3, name="deep")(inner_input), name="inner")
    x = keras.Input((2,), name="x")
    y = layers.Dense(3, use_bias=False, name="first")(x)
    y = layers.BatchNormalization(name="norm", center=False)(inner(y))
    model = keras.Model(x, [inner(y), y])
    for k, weight in enumerate(model.weights):
        weight.assign(numpy.arange(numpy.prod(weight.shape)).reshape(weight.shape) + k + 1.0)
    model.save(HERE / "small.keras")
    model.save(HERE / "small.h5")
    return model.predict(numpy.array([[1.0, 2.0]]))


def former():
    def layer(kind, name, config, calls):
        return {"class_name": kind, "config": {"name": name, **config}, "name": name, "inbound_nodes": calls}

    dense = {"units": 2, "activation": "relu", "use_bias": True, "dtype": "float32"}
    inner = {
        "name": "inner",
        "layers": [
            {"class_name": "InputLayer", "config": {"batch_input_shape": [None, 2], "dtype": "float32", "name": "i"}},
            {"class_name": "Dense", "config": {"name": "deep", **dense}},
        ],
    }
    given = {"batch_input_shape": [None, 3], "dtype": "float32", "sparse": False, "ragged": False}
    config = {
        "name": "model",
        "layers": [
            layer("InputLayer", "x", given, []),
            layer("Dense", "first", dense, [[["x", 0, 0, {}]]]),
            {**layer("Sequential", "inner", {}, [[["first", 0, 0, {}]]]), "config": inner},
            layer("Add", "add", {}, [[["inner", 1, 0, {}], ["first", 0, 0, {}]]]),
        ],
        "input_layers": [["x", 0, 0]],
        "output_layers": [["add", 0, 0]],
    }
    with h5py.File(HERE / "former.h5", "w") as file:
        file.attrs["keras_version"] = numpy.bytes_("2.4.0")
        file.attrs["backend"] = numpy.bytes_("tensorflow")
        file.attrs["model_config"] = json.dumps({"class_name": "Functional", "config": config}).encode()
        group = file.create_group("model_weights")
        group.attrs["layer_names"] = [name.encode() for name in ("x", "first", "inner", "add")]
        for name, weights in {"x": {}, "add": {}, "first": {"first": 3}, "inner": {"deep": 2}}.items():
            own = group.create_group(name)
            own.attrs["weight_names"] = [
                f"{layer}/{weight}:0".encode() for layer in weights for weight in ("kernel", "bias")]
            for layer_name, features in weights.items():
                own[f"{layer_name}/kernel:0"] = numpy.arange(features * 2, dtype="f4").reshape(features, 2)
                own[f"{layer_name}/bias:0"] = numpy.array([1, -1], "f4")


former()
for output in small():
    print(output.tolist())
