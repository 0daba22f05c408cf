"""Runs models of Keras layers for `tensorvet fuzz`: one JSON object a line in, one out.

Promises: the first line out says what is here, or what is missing. Every line in describes a model: inputs as arrays,
layers as expressions with their weights, calls in order. The line out tells, for each way that was asked for, what
was seen of every value, and where and how the framework refused. Arrays are the bytes of their elements, in
hexadecimal. Before each way and each call that is told, so that who reads knows where this process died.
"""

import re

try:
    import keras
    import ml_dtypes
    import numpy
except Exception as error:
    answer({"missing": f"{type(error).__name__}: {error}"})
    sys.exit(0)


def array(told):
    dtype = ml_dtypes.bfloat16 if told["dtype"] == "bfloat16" else told["dtype"]
    return numpy.frombuffer(bytes.fromhex(told["data"]), dtype).reshape(told["shape"]).copy()


def described(tensor):
    return {"dtype": keras.backend.standardize_dtype(tensor.dtype), "shape": list(tensor.shape)}


def seen(tensor):
    """Type, shape and elements, as they are."""
    dtype = keras.backend.standardize_dtype(tensor.dtype)
    value = tensor if isinstance(tensor, numpy.ndarray) else keras.ops.convert_to_numpy(tensor)
    if dtype == "bfloat16":
        value = value.astype(ml_dtypes.bfloat16)
    value = numpy.array(value, order="C")
    return {"dtype": dtype, "shape": list(value.shape), "data": value.tobytes().hex()}


class Refused(Exception):
    def __init__(self, call, error):
        text = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).strip()
        self.told = {"call": call, "message": f"{type(error).__name__}: {text}"[:2000]}


def made(case):
    layers = []
    for k, layer in enumerate(case["layers"]):
        try:
            layers.append(eval(layer["expression"], {"keras": keras, "np": numpy, "ml_dtypes": ml_dtypes}))
        except Exception as error:
            first = next(i for i, call in enumerate(case["calls"]) if call["layer"] == k)
            raise Refused(first, error)
    return layers


def walk(case, layers, values, tell, told, complete, way):
    """Calls layer after layer. Weights are set when they are there for the first time."""
    for k, call in enumerate(case["calls"]):
        answer({"way": way, "call": k})
        layer, description = layers[call["layer"]], case["layers"][call["layer"]]
        try:
            environment = {"np": numpy, "ml_dtypes": ml_dtypes, "f": layer, **values}
            results = eval(f"f({call['arguments']})", environment)
            if id(layer) not in complete:
                complete.add(id(layer))
                if description["weights"]:
                    layer.set_weights([array(weight) for weight in description["weights"]])
                    # Symbols are the same whatever the weights.
                    if way != "build":
                        results = eval(f"f({call['arguments']})", environment)
            results = keras.tree.flatten(results)
            if len(results) < len(call["outputs"]):
                raise ValueError(f"the call gives {len(results)} tensors instead of {len(call['outputs'])}")
            for name, result in zip(call["outputs"], results):
                values[name] = result
                told[name] = tell(result)
        except Exception as error:
            raise Refused(k, error)


def predicted(model, inputs, whole):
    """What a model gives, all examples at once."""
    given = list(inputs.values())
    results = model.predict(given, verbose=0) if whole else model.predict_on_batch(given)
    return results if isinstance(results, (list, tuple)) else [results]


def to_blame(case, symbols, values, inputs, whole):
    """The first call with which a model cannot predict: tracing a model is slow, so it is found by halves."""
    works, fails = -1, len(case["calls"]) - 1
    while fails - works > 1:
        middle = (works + fails) // 2
        try:
            used = [values[name] for call in case["calls"][: middle + 1] for name in call["outputs"]]
            model = keras.Model([symbols[name] for name in inputs], used)
            predicted(model, inputs, whole)
            works = middle
        except Exception:
            fails = middle
    return fails


def run(case):
    ways, inputs = {}, {told["name"]: array(told) for told in case["inputs"]}
    outputs = [name for call in case["calls"] for name in call["outputs"]]
    layers, model, complete = None, None, set()
    for way in case["ways"]:
        answer({"way": way})
        told = {}
        ways[way] = {"values": told}
        try:
            if way == "build":
                layers = made(case)
                symbols = {name: keras.Input(value.shape[1:], dtype=value.dtype.name) for name, value in inputs.items()}
                values = dict(symbols)
                walk(case, layers, values, described, told, complete, way)
                try:
                    model = keras.Model([symbols[name] for name in inputs], [values[name] for name in outputs])
                except Exception as error:
                    raise Refused(len(case["calls"]) - 1, error)
            elif way == "call":
                if model is None:
                    layers, complete = made(case), set()
                walk(case, layers, dict(inputs), seen, told, complete, way)
            elif model is None:
                # There is no model to predict with: `build` says why.
                del ways[way]
            else:
                # `predict` makes float32 of float64, and wants as many examples of every input.
                batch = {value.shape[0] for value in inputs.values()}
                whole = len(batch) == 1 and 0 < min(batch) <= 32
                whole = whole and all(value.dtype != numpy.float64 for value in inputs.values())
                try:
                    results = predicted(model, inputs, whole)
                except Exception as error:
                    raise Refused(to_blame(case, symbols, values, inputs, whole), error)
                for name, result in zip(outputs, results):
                    told[name] = seen(result)
        except Refused as refused:
            ways[way]["refused"] = refused.told
    return ways


def versions():
    import platform

    backend = keras.backend.backend()
    told = {"Python": platform.python_version(), "Keras": keras.__version__, "NumPy": numpy.__version__}
    told[backend] = getattr(sys.modules.get(backend), "__version__", "?")
    return told


answer({"versions": versions(), "layers": [name for name in dir(keras.layers) if name[0].isupper()]})
cases = 0


def respond(case):
    global cases
    answer({"ways": run(case)})
    cases += 1
    if cases % 50 == 0:
        keras.backend.clear_session()


serve(respond)
