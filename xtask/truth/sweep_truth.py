"""Builds and runs every vector of a space in the real framework, and says what became of it.

A vector is what `tensorvet sweep --list jsonl` prints. The answer is `{"ok": true}`, or where the framework raises (the line
of a program, the layer of a Keras model) and what it says; `{"ok": null}` if the framework does not even make such an input.
`assert` in the model says what runs and is wrong all the same.
"""

import importlib.util
import json
import re
import traceback


def described(text):
    """The type, sizes and layout of `f32[N,3,S,S]:nchw`."""
    match = re.fullmatch(r"(\w+)\[(.*)\](?::(\w+))?", text)
    sizes = [size.strip() for size in match[2].split(",") if size.strip()]
    return match[1], sizes, match[3]


SHORT = {"f32": "float32", "f64": "float64", "f16": "float16", "i64": "int64", "i32": "int32", "b": "bool"}


def shaped(name, text, vector):
    """The type and the numbers of an input, for one vector."""
    dtype, sizes, layout = described(text)
    sizes = [vector[size] if size in vector else int(size) for size in sizes]
    wanted = vector.get(f"{name}.layout")
    if wanted and wanted != layout:
        own = layout or "nchw"
        sizes = [sizes[own.index(letter)] for letter in wanted]
    rank = vector.get(f"{name}.rank")
    if rank is not None:
        sizes = sizes[max(0, len(sizes) - rank) :]
        sizes = [1] * (rank - len(sizes)) + sizes
    return vector.get(f"{name}.dtype") or SHORT.get(dtype, dtype), sizes


def torch_input(dtype, sizes):
    import torch

    kind = getattr(torch, dtype)
    return torch.zeros(sizes, dtype=kind)


def program(path):
    """The module of a model."""
    spec = importlib.util.spec_from_file_location(f"model_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def judged(path, space, vectors):
    """What becomes of the vectors of a space of PyTorch: `run` of the model is called on zeros."""
    import torch

    torch.set_num_threads(1)
    module = program(path)
    inputs = space.get("inputs", {})
    sizes = {size for text in inputs.values() for size in described(text)[1]}
    for vector in vectors:
        own = {key: value for key, value in vector.items() if "." not in key and key not in sizes}
        own = {key: tuple(value) if isinstance(value, list) else value for key, value in own.items()}
        try:
            tensors = {name: torch_input(*shaped(name, text, vector)) for name, text in inputs.items()}
        except Exception as error:
            yield {"ok": None, "why": str(error)[:200]}
            continue
        try:
            stated_layout(inputs, vector)
            module.run(**tensors, **own)
            yield {"ok": True}
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            lines = [frame.lineno for frame in frames if frame.filename == str(path)]
            yield {"ok": False, "place": str(lines[-1]) if lines else None, "why": f"{type(error).__name__}: {error}"[:200]}


def stated_layout(inputs, vector):
    """What runs and is wrong all the same: axes that are read as others than they are."""
    for name, text in inputs.items():
        wanted, own = vector.get(f"{name}.layout"), described(text)[2]
        if wanted and own and wanted != own:
            raise AssertionError(f"{name} comes as {wanted} and is read as {own}")


def changed(config, vector, inputs):
    """The architecture of a Keras model with other arguments of its layers and other inputs."""
    config = json.loads(json.dumps(config))
    layers = {layer["config"]["name"]: layer["config"] for layer in config["config"]["layers"]}
    for layer in config["config"]["layers"]:
        # Layers make their weights for what they are given now.
        layer.pop("build_config", None)
    for name, text in inputs.items():
        layers[name]["dtype"], layers[name]["batch_shape"] = shaped(name, text, vector)
    sizes = {size for text in inputs.values() for size in described(text)[1]}
    for name, value in vector.items():
        if name in sizes or name.rsplit(".", 1)[0] in inputs:
            continue
        owner, what = name.rsplit(".", 1)
        layer = layers[owner]
        if what == "dtype":
            layer["dtype"] = value
        elif what.startswith("shape["):
            layer["batch_shape"][int(what[6:-1])] = value
        elif isinstance(layer[what], list) and not isinstance(value, list):
            layer[what] = [value] * len(layer[what])
        else:
            layer[what] = value
    return config, layers


def raising(error, names):
    """The layer of a Keras model that raises: the innermost frame that belongs to one of them, or that makes it."""
    # Keras tells of what it could not make in other words: what was raised first counts.
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__
    found = None
    for frame, _ in traceback.walk_tb(error.__traceback__):
        own = frame.f_locals.get("self")
        name = getattr(own, "_name", None) or getattr(own, "name", None)
        config = frame.f_locals.get("inner_config") or frame.f_locals.get("config")
        if isinstance(name, str) and name in names:
            found = name
        elif isinstance(config, dict) and config.get("name") in names:
            found = config["name"]
    return found


def judged_keras(config, inputs, vectors):
    """What becomes of the vectors of a space of a Keras model: it is made anew and called on zeros."""
    import keras
    import tensorflow as tf

    for number, vector in enumerate(vectors):
        layers = {}
        # What is left out of a traceback may be the layer; a new session forgets that it is wanted.
        keras.config.disable_traceback_filtering()
        try:
            new, layers = changed(config, vector, inputs)
            model = keras.models.model_from_json(json.dumps(new))
            stated_layout(inputs, vector)
            shapes = [layers[tensor.name]["batch_shape"] for tensor in model.inputs]
            given = [
                tf.zeros([2 if size is None else size for size in shape], tensor.dtype)
                for tensor, shape in zip(model.inputs, shapes)
            ]
            model(given if len(given) > 1 else given[0])
            yield {"ok": True}
        except Exception as error:
            why = f"{type(error).__name__}: {error}"[:200]
            yield {"ok": False, "place": raising(error, layers), "why": why}
        # It collects garbage, which takes longer than a small model.
        if number % 100 == 99:
            keras.backend.clear_session()
