"""How every tool here feeds and runs a model: its inputs as data, random tensors for them, one ONNX Runtime session.

An input specification is `{"name", "dtype", "shape", "high"}`; a size is a number, a symbol's name, or null when the
file does not say; integers are drawn below `high`.
"""

import json
import pathlib

import numpy
import onnx
import onnxruntime

MANIFEST = "exports.json"

onnxruntime.set_default_logger_severity(4)


def session(model: bytes) -> onnxruntime.InferenceSession:
    """A session that runs the graph as written: no optimisation, one thread, errors as exceptions only."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def run(ready: onnxruntime.InferenceSession, feeds: dict) -> list[onnxruntime.OrtValue]:
    """All outputs, left as ONNX Runtime holds them: NumPy has no bfloat16, and its refusal is no error of the model."""
    values = {name: ort_value(value) for name, value in feeds.items()}
    return ready.run_with_ort_values([output.name for output in ready.get_outputs()], values)


def ort_value(value) -> onnxruntime.OrtValue:
    if isinstance(value, onnxruntime.OrtValue):
        return value
    if value.dtype.name == "bfloat16":
        return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(value.view("uint16"), onnx.TensorProto.BFLOAT16)
    return onnxruntime.OrtValue.ortvalue_from_numpy(numpy.ascontiguousarray(value).reshape(value.shape))


def input_specs(model: onnx.ModelProto) -> list[dict]:
    stored = {tensor.name for tensor in model.graph.initializer}
    return [specification(value) for value in model.graph.input if value.name not in stored]


def specification(value: onnx.ValueInfoProto) -> dict:
    tensor = value.type.tensor_type
    shape = None
    if tensor.HasField("shape"):
        shape = [size.dim_value if size.HasField("dim_value") else size.dim_param or None for size in tensor.shape.dim]
    dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type).name
    return {"name": value.name, "dtype": dtype, "shape": shape, "high": None}


def concrete_shape(spec: dict, binding: dict[str, int]) -> list[int]:
    """Sizes without a name in the file are taken as 2."""
    return [size if isinstance(size, int) else binding.get(size, 2) for size in spec["shape"] or []]


def random_inputs(specs: list[dict], binding: dict[str, int], seed: int) -> dict[str, numpy.ndarray]:
    """Normal floats, token ids below the vocabulary's size, masks of ones."""
    generator = numpy.random.default_rng(seed)
    return {spec["name"]: random_tensor(generator, spec, concrete_shape(spec, binding)) for spec in specs}


def random_tensor(generator: numpy.random.Generator, spec: dict, shape: list[int]) -> numpy.ndarray:
    dtype = numpy.dtype(spec["dtype"])
    if "mask" in spec["name"]:
        return numpy.ones(shape, dtype)
    if dtype.kind == "b":
        return generator.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        return generator.integers(0, spec["high"] or 2, shape).astype(dtype)
    if dtype.kind == "c":
        return (generator.standard_normal(shape) + 1j * generator.standard_normal(shape)).astype(dtype)
    return generator.standard_normal(shape).astype(dtype)


def manifest_entry(path: pathlib.Path) -> dict | None:
    """What the manifest beside a model says about it, if there is one."""
    manifest = path.parent / MANIFEST
    if not manifest.exists():
        return None
    return next((entry for entry in json.loads(manifest.read_text()).values() if entry.get("file") == path.name), None)


def inputs_of(path: pathlib.Path, model: onnx.ModelProto) -> tuple[list[dict], dict[str, int]]:
    """Input specifications and the first binding: the manifest's, else read off the graph."""
    entry = manifest_entry(path)
    if entry:
        return entry["inputs"], dict(entry["bindings"][0])
    specs = input_specs(model)
    for spec in specs:
        spec["high"] = index_bound(model, spec["name"])
    return specs, {}


def index_bound(model: onnx.ModelProto, name: str) -> int | None:
    """The smallest table that a graph input selects rows from with Gather."""
    stored = {tensor.name: tensor.dims for tensor in model.graph.initializer}
    bounds = []
    for node in model.graph.node:
        if node.op_type == "Gather" and node.input[1] == name and stored.get(node.input[0]):
            axis = next((attribute.i for attribute in node.attribute if attribute.name == "axis"), 0)
            bounds.append(stored[node.input[0]][axis])
    return min(bounds, default=None)
