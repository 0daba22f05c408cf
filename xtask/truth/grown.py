"""Builds models of Keras layers, one JSON object a line in, one out.

Promises: each line in describes a model (inputs by shape and type, layers as expressions, calls in order, names of
outputs); the line out is {"accepted": true}, or the call that Keras refused and what it said. Layers see symbols, so
nothing is computed; with `--call` before the file they are called on zeros. `--layers` in the place of a file prints
the names that there are.
"""

import json
import sys

import keras
import ml_dtypes
import numpy as np

NAMES = {"keras": keras, "np": np, "ml_dtypes": ml_dtypes}


def built(case, given):
    """Calls layer after layer on what stands for the inputs, and says what was refused, if anything was."""
    values = {told["name"]: given(tuple(told["shape"]), told["dtype"]) for told in case["inputs"]}
    inputs = list(values.values())
    layers = {}
    for number, call in enumerate(case["calls"]):
        try:
            if call["layer"] not in layers:
                layers[call["layer"]] = eval(case["layers"][call["layer"]], NAMES)
            results = eval(f"f({call['arguments']})", {**NAMES, "f": layers[call["layer"]], **values})
            values.update(zip(call["outputs"], keras.tree.flatten(results), strict=True))
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
            return {"call": number, "layer": case["layers"][call["layer"]], "error": text[:600]}
    if isinstance(inputs[0], keras.KerasTensor):
        try:
            keras.Model(inputs, [values[name] for name in case["outputs"]])
        except Exception as error:
            return {"call": None, "error": f"{type(error).__name__}: {error}"[:600]}
    return {"accepted": True}


def zeros(shape, dtype):
    return np.zeros(shape, ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)


def main():
    if sys.argv[1] == "--layers":
        print(json.dumps(dir(keras.layers)))
        return
    if sys.argv[1] == "--call":
        given = zeros
    else:
        given = lambda shape, dtype: keras.Input(batch_shape=shape, dtype=dtype)
    with open(sys.argv[-1]) as lines:
        for line in lines:
            print(json.dumps(built(json.loads(line), given)), flush=True)
            keras.backend.clear_session()


main()
