"""Builds models of Keras layers, one JSON object a line in, one out.

Promises: each line in describes a model (inputs by shape and type, layers as expressions, calls in order, names of
outputs); the line out is {"accepted": true}, or the call that Keras refused, what it said, and the first layer of
which Keras expected other shapes than were told ("differs"). Layers only see symbols there: nothing is computed.
What is refused so is called on arrays, in a process of its own since that may crash: "computed" says whether every
layer then gives the shapes that were told. `--call` in the place of a file does this with a line of standard input.
`--layers` in the place of a file prints the names that there are.
"""

import json
import subprocess
import sys

import keras
import ml_dtypes
import numpy as np

NAMES = {"keras": keras, "np": np, "ml_dtypes": ml_dtypes}


def computed(case):
    zeros = keras.ops.zeros
    values = {told["name"]: zeros(told["shape"], told["dtype"]) for told in case["inputs"]}
    layers = {}
    for call in case["calls"]:
        if call["layer"] not in layers:
            layers[call["layer"]] = eval(case["layers"][call["layer"]], NAMES)
        results = eval(f"f({call['arguments']})", {**NAMES, "f": layers[call["layer"]], **values})
        results = keras.tree.flatten(results)
        if [list(result.shape) for result in results] != call["shapes"]:
            return False
        values.update(zip(call["outputs"], results, strict=True))
    return True


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
    if sys.argv[1] == "--call":
        print(computed(json.load(sys.stdin)))
        return
    with open(sys.argv[1]) as lines:
        for line in lines:
            answer = built(json.loads(line))
            if "accepted" not in answer:
                call = [sys.executable, __file__, "--call"]
                called = subprocess.run(call, input=line, capture_output=True, text=True)
                answer["computed"] = called.stdout.split()[-1:] == ["True"]
                errors = [each for each in called.stderr.splitlines() if "Error:" in each or "[Op:" in each]
                answer["called"] = " ".join(errors)[-300:] or f"exit code {called.returncode}"
            print(json.dumps(answer), flush=True)
            keras.backend.clear_session()


main()
