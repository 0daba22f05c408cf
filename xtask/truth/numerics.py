"""Runs labelled sites in PyTorch, ONNX Runtime and TensorFlow, and says which of them really make NaN or Inf.

    python numerics.py FOLDER [WITNESSES.json] > observed.json

FOLDER holds `sites.py`, `sites.md` and `graphs.md`. Every function and graph is run with random inputs, with the ends of the ranges,
and with the witnesses that were found, if they are given: `{"name": [{"x": {"shape": [8], "all": 0.0, "values": null}}]}`.
A line counts as failing if something that is computed in it is not finite though all it was given is, and that reaches
the result; with `gradients` also if the gradient of an input is not finite.
"""

import importlib.util
import json
import re
import sys
import traceback
from pathlib import Path

import numpy as np

DRAWS = 300
KINDS = {"f16": "float16", "f32": "float32", "f64": "float64"}


def described(comment):
    """`x=f32[8] in [0,1]; gradients` as inputs with their ranges, and whether gradients are asked for."""
    inputs, gradients = {}, False
    for part in comment.split(";"):
        part = part.strip()
        if part == "gradients":
            gradients = True
            continue
        name, kind, sizes, low, high = re.fullmatch(r"(\w+)=(\w+)\[([\d,]*)\] in \[(.+),(.+)\]", part).groups()
        inputs[name] = (KINDS[kind], [int(size) for size in sizes.split(",")], float(low), float(high))
    return inputs, gradients


def draws(inputs, rng, witnesses):
    """Arrays for all inputs, again and again: witnesses, ends, zero, levels, random numbers and mixtures."""
    for witness in witnesses:
        arrays = {}
        for name, (kind, shape, low, high) in inputs.items():
            told = witness.get(name)
            if told is None:
                arrays[name] = np.full(shape, np.clip(0.0, low, high), kind)
            elif told["values"] is not None:
                arrays[name] = np.array([float(value) for value in told["values"]], kind).reshape(shape)
            else:
                arrays[name] = np.full(shape, 0.0 if told["all"] is None else float(told["all"]), kind)
                for part in told.get("parts") or []:
                    arrays[name][tuple(slice(low, high) for low, high in part["at"])] = float(part["value"])
        yield arrays
    names = list(inputs)
    for corner in range(3 ** min(len(names), 4)):
        arrays = {}
        for position, name in enumerate(names):
            kind, shape, low, high = inputs[name]
            arrays[name] = np.full(shape, [low, high, np.clip(0.0, low, high)][corner // 3**position % 3], kind)
        yield arrays
    for draw in range(DRAWS):
        arrays = {}
        for name, (kind, shape, low, high) in inputs.items():
            way = rng.integers(5)
            if way == 0:
                array = np.full(shape, rng.uniform(low, high))
            elif way == 4:
                # Nearly the same everywhere: differences drown in rounding.
                array = rng.uniform(low, high) + (high - low) * 1e-6 * rng.uniform(size=shape)
            elif way == 1:
                array = rng.choice([low, high, np.clip(0.0, low, high)], shape)
            else:
                array = rng.uniform(low, high, shape)
            arrays[name] = np.clip(array, low, high).astype(kind)
        yield arrays


def torch_sites(folder, witnesses):
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    path = folder / "sites.py"
    text = path.read_text()
    spec = importlib.util.spec_from_file_location("sites", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    lines = text.split("\n")

    class Watch(TorchDispatchMode):
        """Notes the line of the first operation that makes something infinite out of finite numbers."""

        def __init__(self):
            super().__init__()
            self.lines = set()

        def __torch_dispatch__(self, function, types, arguments=(), keywords=None):
            result = function(*arguments, **(keywords or {}))
            if isinstance(result, torch.Tensor) and result.is_floating_point() and not bool(torch.isfinite(result).all()):
                tensors = [each for each in arguments if isinstance(each, torch.Tensor) and each.is_floating_point()]
                if all(bool(torch.isfinite(each).all()) for each in tensors):
                    frames = [frame for frame in traceback.extract_stack() if frame.filename == str(path)]
                    if frames:
                        self.lines.add(frames[-1].lineno)
            return result

    for found in re.finditer(r"^# (.+)\ndef (\w+)\(.*\):\n((?:    .*\n|\n)+)", text, re.M):
        inputs, gradients = described(found[1])
        start = text[: found.start(3)].count("\n") + 1
        body = found[3].split("\n")
        labels = {start + at: line.rsplit("# ", 1)[1] for at, line in enumerate(body) if re.search(r"# (bug|safe)$", line)}
        failing = set()
        rng = np.random.default_rng(7)
        for arrays in draws(inputs, rng, witnesses.get(found[2], [])):
            tensors = {name: torch.tensor(array, requires_grad=gradients) for name, array in arrays.items()}
            watch = Watch()
            with watch:
                result = getattr(module, found[2])(**tensors)
            # What a condition leaves out does not count.
            if watch.lines and (not bool(torch.isfinite(result).all()) or "where" not in found[2]):
                failing |= watch.lines
            if gradients and bool(torch.isfinite(result).all()):
                result.sum().backward()
                if any(not bool(torch.isfinite(each.grad).all()) for each in tensors.values() if each.grad is not None):
                    failing |= set(labels)
        for line, label in labels.items():
            yield {"set": "PyTorch", "name": found[2], "line": line, "label": label, "fails": line in failing}
    del lines


def onnx_sites(folder, witnesses):
    import onnx.parser
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    kinds = {"float": "float32", "float16": "float16", "double": "float64"}
    text = (folder / "sites.md").read_text()
    for name, label, ranges, graph in re.findall(r"## (.+)\n\n```onnx (\w+) (.+)\n((?:.*\n)+?)```", text):
        model = onnx.parser.parse_model('<ir_version: 10, opset_import: ["" : 20]>\n' + graph)
        site = next(node for node in model.graph.node if node.name == "site")
        kept = model.graph.output[0].name
        bounds = {each: (float(low), float(high)) for each, low, high in re.findall(r"(\w+)=\[(.+?),(.+?)\]", ranges)}
        inputs = {}
        for kind, sizes, each in re.findall(r"(\w+)\[([\d,]+)\] (\w+)", graph.split("=>")[0]):
            inputs[each] = (kinds[kind], [int(size) for size in sizes.split(",")], *bounds[each])
        if site.output[0] != kept:
            model.graph.output.append(onnx.ValueInfoProto(name=site.output[0]))
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        rng = np.random.default_rng(7)
        fails = False
        for arrays in draws(inputs, rng, witnesses.get(name, [])):
            (result,) = session.run([site.output[0]], arrays)
            fails = fails or not np.isfinite(result).all()
        yield {"set": "ONNX", "name": name, "line": None, "label": label, "fails": bool(fails)}


def tensorflow_sites(folder, witnesses):
    import tensorflow as tf
    from google.protobuf import text_format

    tf1 = tf.compat.v1
    text = (folder / "graphs.md").read_text()
    for name, label, ranges, nodes in re.findall(r"## (.+)\n\n```graphdef (\w+) (.+)\n((?:.*\n)+?)```", text):
        graph = tf1.GraphDef()
        text_format.Parse(nodes, graph)
        bounds = {each: (float(low), float(high)) for each, low, high in re.findall(r"(\w+)=\[(.+?),(.+?)\]", ranges)}
        with tf.Graph().as_default() as built:
            tf1.import_graph_def(graph, name="")
            operations = built.get_operations()
            site = next(o for o in operations if o.name == "site" or o.name.endswith("/site"))
            # What is inside of a loop cannot be fetched: what comes out of the loop can.
            inside = site.name != "site"
            ends = [o for o in operations if o.type == "Exit" or o.name == "rows"]
            fetched = [tensor for o in (ends if inside else [site]) for tensor in o.outputs if tensor.dtype.is_floating]
            starts = [o for o in operations if o.type == "Assign" and o.name.endswith("/Assign")]
            steps = [o for o in operations if o.type.startswith("Assign") and o not in starts]
            fed, inputs = {}, {}
            for each, (low, high) in bounds.items():
                source = built.get_operation_by_name(each)
                tensor = built.get_tensor_by_name(each + ("/read:0" if source.type == "VariableV2" else ":0"))
                shape = [2 if size is None else size for size in tensor.shape.as_list()]
                fed[each] = tensor
                inputs[each] = (tensor.dtype.as_numpy_dtype, shape, low, high)
            before = [] if inside else [tensor for tensor in site.inputs if tensor.dtype.is_floating]
            rng = np.random.default_rng(7)
            fails = False
            with tf1.Session() as session:
                if steps:
                    session.run(starts)
                for arrays in draws(inputs, rng, witnesses.get(name, [])):
                    feed = {fed[each]: array for each, array in arrays.items()}
                    given, made = session.run([before, fetched], feed)
                    finite = all(np.isfinite(value).all() for value in given)
                    fails = fails or finite and not all(np.isfinite(value).all() for value in made)
                    session.run(steps, feed)
        yield {"set": "TensorFlow", "name": name, "line": None, "label": label, "fails": bool(fails)}


def main():
    folder = Path(sys.argv[1]).resolve()
    witnesses = json.loads(Path(sys.argv[2]).read_text()) if len(sys.argv) > 2 else {}
    np.seterr(all="ignore")
    observed = [
        *torch_sites(folder, witnesses),
        *onnx_sites(folder, witnesses),
        *tensorflow_sites(folder, witnesses),
    ]
    print(json.dumps(observed, indent=1))


if __name__ == "__main__":
    main()
