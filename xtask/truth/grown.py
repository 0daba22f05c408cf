"""Builds models of Keras layers, one JSON object a line in, one out.

Promises: each line in describes a model (inputs by shape and type, layers as expressions, calls in order, names of
outputs); the line out is {"accepted": true}, or the call that Keras refused, what it said, and the first layer of
which Keras expected other shapes than were told ("differs"). Layers only see symbols: nothing is computed.
`--layers` in the place of a file prints the names that there are.
"""

import json
import sys

import keras
import ml_dtypes
import numpy as np

NAMES = {"keras": keras, "np": np, "ml_dtypes": ml_dtypes}


def built(case):
    values = {}
    for told in case["inputs"]:
        values[told["name"]] = keras.Input(batch_shape=tuple(told["shape"]), dtype=told["dtype"])
    inputs = list(values.values())
    layers, differs = {}, None
    for number, call in enumerate(case["calls"]):
        expression = case["layers"][call["layer"]]
        try:
            if call["layer"] not in layers:
                layers[call["layer"]] = eval(expression, NAMES)
            results = eval(f"f({call['arguments']})", {**NAMES, "f": layers[call["layer"]], **values})
            results = keras.tree.flatten(results)
            if differs is None and [list(result.shape) for result in results] != call["shapes"]:
                differs = expression
            values.update(zip(call["outputs"], results, strict=True))
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
            return {"call": number, "layer": expression, "error": text[:600], "differs": differs}
    try:
        keras.Model(inputs, [values[name] for name in case["outputs"]])
    except Exception as error:
        return {"call": None, "error": f"{type(error).__name__}: {error}"[:600], "differs": differs}
    return {"accepted": True}


def main():
    if sys.argv[1] == "--layers":
        print(json.dumps(dir(keras.layers)))
        return
    with open(sys.argv[1]) as lines:
        for line in lines:
            print(json.dumps(built(json.loads(line))), flush=True)
            keras.backend.clear_session()


main()
