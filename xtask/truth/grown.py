"""Builds models of Keras layers, one JSON object a line in, one out.

Promises: each line in describes a model (inputs by shape and type, layers as expressions, calls in order, names of
outputs); the line out is {"accepted": true}, or the call that Keras refused and what it said. Layers only see
symbols: nothing is computed. `--layers` in the place of a file prints the names that there are.
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
    layers = {}
    for number, call in enumerate(case["calls"]):
        try:
            if call["layer"] not in layers:
                layers[call["layer"]] = eval(case["layers"][call["layer"]], NAMES)
            results = eval(f"f({call['arguments']})", {**NAMES, "f": layers[call["layer"]], **values})
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
            return {"call": number, "layer": case["layers"][call["layer"]], "error": text[:600]}
        results = list(results) if isinstance(results, (list, tuple)) else [results]
        values.update(zip(call["outputs"], results))
    try:
        keras.Model(inputs, [values[name] for name in case["outputs"]])
    except Exception as error:
        return {"call": None, "error": f"{type(error).__name__}: {error}"[:600]}
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
