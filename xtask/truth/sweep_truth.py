"""Builds and runs every vector of a space in the real framework, and says what became of it.

A vector is what `tensorvet sweep --list jsonl` prints. The answer is `{"ok": true}`, or where the framework raises (the line
of a program, the layer of a Keras model) and what it says; `{"ok": null}` if the framework does not even make such an input.
`assert` in the model says what runs and is wrong all the same.
"""

import ast
import contextlib
import importlib.util
import io
import json
import pathlib
import re
import sys
import tempfile
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
    # A dataclass looks for the module that it stands in.
    sys.modules[spec.name] = module
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
            yield failed_at(path, error)


def judged_program(path, vectors):
    """What becomes of vectors of options, constants, entries of dictionaries and of the file of settings that stands
    beside a program: it is run as its user would run it."""
    import torch

    torch.set_num_threads(1)
    settings = next((file for file in (path.with_suffix(end) for end in (".yaml", ".json")) if file.exists()), None)
    for vector in vectors:
        with tempfile.TemporaryDirectory() as folder:
            rest, options = dict(vector), []
            for name in vector:
                if f'"--{name.replace("_", "-")}"' in path.read_text():
                    options += [f"--{name.replace('_', '-')}", str(rest.pop(name))]
            if settings:
                import yaml

                held = yaml.safe_load(settings.read_text())
                replace_entries(held, rest)
                pathlib.Path(folder, settings.name).write_text(json.dumps(held))
            changed = Written(rest).visit(ast.parse(path.read_text()))
            code = compile(ast.fix_missing_locations(changed), str(path), "exec")
            sys.argv = [str(path), *options]
            try:
                with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                    exec(code, {"__name__": "__main__", "__file__": str(pathlib.Path(folder, path.name))})
                yield {"ok": True}
            except (Exception, SystemExit) as error:
                # A command of click ends the program when it is done.
                is_done = isinstance(error, SystemExit) and error.code in (None, 0)
                yield {"ok": True} if is_done else failed_at(path, error)


def replace_entries(held, wanted):
    """Gives entries of a file of settings their values, wherever they stand."""
    for key, value in held.items():
        if isinstance(value, dict):
            replace_entries(value, wanted)
        elif key in wanted:
            held[key] = wanted[key]


class Written(ast.NodeTransformer):
    """Constants of a module and entries of its dictionaries, written with other values."""

    def __init__(self, wanted):
        self.wanted = {name: tuple(value) if isinstance(value, list) else value for name, value in wanted.items()}

    def value(self, name, node):
        value = self.wanted[name]
        value = list(value) if isinstance(node, ast.List) else value
        return ast.copy_location(ast.parse(repr(value), mode="eval").body, node)

    def visit_FunctionDef(self, node):
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        name = getattr(node.targets[0], "id", None)
        if name in self.wanted:
            node.value = self.value(name, node.value)
        return node

    def visit_Dict(self, node):
        self.generic_visit(node)
        for place, key in enumerate(node.keys):
            if isinstance(key, ast.Constant) and key.value in self.wanted:
                node.values[place] = self.value(key.value, node.values[place])
        return node


def failed_at(path, error):
    """The innermost line of a program at which it raises, and what it says."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return {"ok": False, "place": str(lines[-1]) if lines else None, "why": f"{type(error).__name__}: {error}"[:200]}


def zeros(tensor):
    """Zeros for an input of a session: `tensor(float)`, `tensor(int64)`."""
    import numpy

    kind = tensor.type[len("tensor(") : -1]
    return numpy.zeros(tensor.shape, {"float": "float32", "double": "float64"}.get(kind, kind))


def judged_onnx(path, vectors):
    """What becomes of vectors of an ONNX model: `model` makes it with them, and ONNX Runtime loads and runs it."""
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    make = program(path).model
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    for vector in vectors:
        names = []
        try:
            made = make(**vector)
            names = [node.name for node in made.graph.node]
            session = onnxruntime.InferenceSession(made.SerializeToString(), options)
            session.run(None, {tensor.name: zeros(tensor) for tensor in session.get_inputs()})
            yield {"ok": True}
        except Exception as error:
            # While it loads, it asks all nodes what they make before it runs the first: what is wrong at one may be told
            # of a later one.
            told = re.search(r"while running \w+ node\. Name:'([^']*)'", str(error))
            place = told[1] if told and told[1] in names else None
            yield {"ok": False, "place": place, "why": f"{type(error).__name__}: {error}"[:300]}


def stated_layout(inputs, vector):
    """What runs and is wrong all the same: axes that are read as others than they are."""
    for name, text in inputs.items():
        wanted, own = vector.get(f"{name}.layout"), described(text)[2]
        if wanted and own and wanted != own:
            raise AssertionError(f"{name} comes as {wanted} and is read as {own}")


def forget_weights(part):
    """Layers, and those inside others, make their weights for what they are given now."""
    if isinstance(part, dict):
        part.pop("build_config", None)
        part = part.values()
    if not isinstance(part, (str, int, float, type(None))):
        for inner in part:
            forget_weights(inner)


def changed(config, vector, inputs):
    """The architecture of a Keras model with other arguments of its layers and other inputs."""
    config = json.loads(json.dumps(config))
    layers = {layer["config"]["name"]: layer["config"] for layer in config["config"]["layers"]}
    for layer in config["config"]["layers"]:
        forget_weights(layer)
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
