"""Ground truth for one graph, by execution: does ONNX Runtime create and run it, and which node fails first?

`Judge` promises an answer for every model: the work happens in another process with a time and memory limit, whose
crash or hang is an answer too (`crash`, `timeout`) and costs no more than a restart.
"""

import multiprocessing
import pathlib
import re
import resource
from dataclasses import dataclass

import numpy
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import feeding
import observe

SECONDS = 20
MEMORY = 6 << 30
UNIMPLEMENTED = "NOT_IMPLEMENTED"


@dataclass
class Base:
    """A valid model that mutants are made of; `bounds` limits the integers fed to an input."""

    name: str
    model: onnx.ModelProto
    bounds: dict[str, int | None]
    bindings: list[dict[str, int]]

    def feeds(self, model: onnx.ModelProto, binding: dict[str, int], calm: bool = False) -> dict[str, numpy.ndarray]:
        """Random inputs; calm ones have index 0 everywhere, which every table that is not empty holds."""
        specs = [spec | {"high": 1 if calm else self.bounds.get(spec["name"])} for spec in feeding.input_specs(model)]
        return feeding.random_inputs(specs, binding, seed=0)


class Judge:
    """Asks a worker process; every question is (phase, base name, model path)."""

    def __init__(self, bases: dict[str, Base]):
        self.bases = bases
        self.worker = None

    def verdict(self, base: str, path: pathlib.Path) -> dict:
        record = {"verdict": None, "error": None, "blamed_node": None, "value_dependent": None, "other_binding": None}
        outcome, answer = self.ask("run", base, path)
        record |= answer if outcome == "done" else {"verdict": outcome, "error": f"{outcome} during {answer}"}
        record["blamed_node"] = blamed(record["error"] or "")
        outcome, answer = self.ask("check", base, path)
        record |= answer if outcome == "done" else {"checker": outcome, "shape_inference": outcome}
        record |= {"failing_node": None, "failing_op": None, "failing_error": None, "failing_nodes": []}
        if record["verdict"] != "ok":
            # Creation sees the shapes that were inferred, a run only what the kernels check.
            shapes = record["verdict"] == "fails_create"
            for way in [(shapes, True), (shapes, False), (not shapes, True), (not shapes, False)]:
                outcome, answer = self.ask(("find", *way), base, path)
                record |= answer if outcome == "done" else dict(answer or {}, failing_error=outcome)
                if record["failing_node"]:
                    break
        record["unimplemented"] = UNIMPLEMENTED in (record["failing_error"] or "")
        return record

    def ask(self, phase: str | tuple, base: str, path: pathlib.Path) -> tuple[str, object]:
        """("done", answer), or ("crash" | "timeout", the last progress message)."""
        if self.worker is None:
            context = multiprocessing.get_context("spawn")
            self.pipe, end = context.Pipe()
            self.worker = context.Process(target=serve, args=(end, self.bases), daemon=True)
            self.worker.start()
            end.close()
        self.pipe.send((phase, base, path))
        progress, outcome = None, "timeout"
        try:
            while self.pipe.poll(SECONDS):
                finished, message = self.pipe.recv()
                if finished:
                    return "done", message
                progress = message
        except (EOFError, ConnectionResetError):
            outcome = "crash"
        self.worker.kill()
        self.worker.join()
        self.worker = None
        return outcome, progress


def serve(pipe, bases: dict[str, Base]) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    observed = {}
    while True:
        phase, name, path = pipe.recv()
        base, model = bases[name], onnx.load(path)
        if phase == "run":
            answer = run(base, model, pipe)
        elif phase == "check":
            inferred = complaint(onnx.shape_inference.infer_shapes, model, strict_mode=True, data_prop=True)
            for output in model.graph.output:
                output.type.tensor_type.shape.SetInParent()  # the checker insists on a shape, and does not read it
            answer = {"checker": complaint(onnx.checker.check_model, model), "shape_inference": inferred}
        else:
            _, shapes, calm = phase
            if (name, calm) not in observed:
                feeds = base.feeds(base.model, base.bindings[0], calm)
                copy = onnx.ModelProto()
                copy.CopyFrom(base.model)
                observed[name, calm] = feeds | observe.observe(copy, feeds)
            values = base.feeds(model, base.bindings[0], calm)
            answer = first_failing(base, model, values, observed[name, calm], shapes, pipe)
        pipe.send((True, answer))


def complaint(call, *arguments, **options) -> str | None:
    try:
        call(*arguments, **options)
    except Exception as problem:
        return str(problem)[:600] or type(problem).__name__
    return None


def run(base: Base, model: onnx.ModelProto, pipe) -> dict:
    pipe.send((False, "creation"))
    try:
        session = feeding.session(model.SerializeToString())
    except Exception as problem:
        return {"verdict": "fails_create", "error": str(problem)[:1500]}
    pipe.send((False, "the run"))
    error = complaint(feeding.run, session, base.feeds(model, base.bindings[0]))
    if error is None:
        other = complaint(feeding.run, session, base.feeds(model, base.bindings[1])) if len(base.bindings) > 1 else None
        return {"verdict": "ok", "other_binding": other}
    # A failure that other values of the same shapes avoid is no error of shapes or types.
    zeros = {name: numpy.zeros_like(value) for name, value in base.feeds(model, base.bindings[0]).items()}
    others = [zeros, {name: numpy.ones_like(value) for name, value in zeros.items()}]
    avoided = any(complaint(feeding.run, session, feeds) is None for feeds in others)
    return {"verdict": "fails_run", "error": error, "value_dependent": avoided}


NAMES = [
    r'In Node, \("(.*?)",',
    r"Node \((.*?)\) Op \(",
    r"node\. Name:'(.*?)'",
    r"in node \((.*?)\)",
    r"of node \((.*?)\)",
    r"of node:? '(.*?)'",
    r"node with name '(.*?)'",
    r"Node ?\((.*?)\)",
    r"Error in Node: ?(\S+)",
    r"Node: ?(\S+)",
]


def blamed(error: str) -> str | None:
    """The node an error message of ONNX Runtime names."""
    for pattern in NAMES:
        found = re.search(pattern, error)
        if found and found.group(1):
            return found.group(1)
    return None


def first_failing(base: Base, model: onnx.ModelProto, values: dict, observed: dict, shapes: bool, pipe) -> dict:
    """Runs the nodes one by one, each alone, on what its predecessors gave; what the change left alone is not rerun.

    `failing_nodes` lists every node that fails on good inputs: a checker may rightly name any of them first.
    A node that ONNX Runtime has no kernel for counts only if nothing else fails; the reference evaluator stands in.
    """
    before = {node.output[0]: node.SerializeToString() for node in base.model.graph.node}
    stored = {tensor.name: tensor for tensor in base.model.graph.initializer}
    constants = {tensor.name: tensor for tensor in model.graph.initializer}
    changed = {name for name, value in values.items()
               if value.dtype != observed[name].dtype or not numpy.array_equal(value, observed[name])}
    changed |= {name for name, tensor in constants.items() if tensor != stored.get(name)}
    failures, unimplemented = [], []
    left = list(model.graph.node)
    while True:
        known = values.keys() | constants.keys()
        node = next((node for node in left if known >= needs(node)), None)
        if node is None:
            break
        left.remove(node)
        same = before.get(node.output[0]) == node.SerializeToString() and not changed & needs(node)
        if node.op_type == "Constant":
            constants[node.output[0]] = constant(node)
        elif same and all(name in observed for name in node.output if name):
            values |= {name: observed[name] for name in node.output if name}
        else:
            found = {"failing_node": node.name, "failing_op": node.op_type, "failing_nodes": [node.name]}
            if not failures:
                pipe.send((False, found))
            try:
                values |= run_alone(model, node, values, constants, shapes)
            except Exception as problem:
                found["failing_error"] = str(problem)[:600]
                missing = UNIMPLEMENTED in str(problem)
                (unimplemented if missing else failures).append(found)
                if missing:
                    values |= reference_values(model, node, values, constants)
        if not same:
            changed |= set(node.output)
    failures = failures + wrong_outputs(model, values) or unimplemented
    if failures:
        return failures[0] | {"failing_nodes": [failure["failing_node"] for failure in failures]}
    return {"failing_error": "the graph has a cycle" if left else "every node runs alone"}


def wrong_outputs(model: onnx.ModelProto, values: dict) -> list[dict]:
    """The producers of graph outputs whose declared element type is not what they give."""
    found = []
    for node in model.graph.node:
        for output in model.graph.output:
            if output.name in node.output and output.name in values:
                declared = output.type.tensor_type.elem_type
                actual = feeding.ort_value(values[output.name]).element_type()
                if declared != actual:
                    names = [onnx.TensorProto.DataType.Name(element).lower() for element in (declared, actual)]
                    found.append({"failing_node": node.name, "failing_op": node.op_type,
                                  "failing_error": f"output {output.name!r} is declared {names[0]} and is {names[1]}"})
    return found


def constant(node: onnx.NodeProto) -> onnx.TensorProto:
    """A Constant node's tensor, named after its output; mutations leave these nodes alone."""
    [given] = node.attribute
    value = helper.get_attribute_value(given)
    if given.name == "value":
        tensor = onnx.TensorProto()
        tensor.CopyFrom(value)
    else:
        tensor = numpy_helper.from_array(numpy.array(value, "int64" if "int" in given.name else "float32"))
    tensor.name = node.output[0]
    return tensor


def needs(node: onnx.NodeProto) -> set[str]:
    """The values a node reads, those that its sub-graphs capture included."""
    names = {name for name in node.input if name}
    for attribute in node.attribute:
        if attribute.type == onnx.AttributeProto.GRAPH:
            graph = attribute.g
            inner = {value.name for value in graph.input} | {tensor.name for tensor in graph.initializer}
            inner |= {name for other in graph.node for name in other.output}
            read = set().union(*(needs(other) for other in graph.node), {output.name for output in graph.output})
            names |= read - inner
    return names


def run_alone(model: onnx.ModelProto, node: onnx.NodeProto, values: dict, constants: dict, shapes: bool) -> dict:
    feeds = {name: feeding.ort_value(values[name]) for name in sorted(needs(node) - constants.keys())}
    alone = single(model, node, feeds, constants, shapes)
    outputs = [output.name for output in alone.graph.output]
    return dict(zip(outputs, feeding.run(feeding.session(alone.SerializeToString()), feeds)))


def reference_values(model: onnx.ModelProto, node: onnx.NodeProto, values: dict, constants: dict) -> dict:
    """The same by ONNX's reference evaluator, or nothing where it cannot either."""
    feeds = {name: feeding.ort_value(values[name]) for name in sorted(needs(node) - constants.keys())}
    alone = single(model, node, feeds, constants, shapes=True)
    try:
        arrays = {name: array(value) for name, value in feeds.items()}
        found = ReferenceEvaluator(alone).run(None, arrays)
        return {output.name: feeding.ort_value(numpy.asarray(value))
                for output, value in zip(alone.graph.output, found)}
    except Exception:
        return {}


def array(value: onnxruntime.OrtValue) -> numpy.ndarray:
    """NumPy's view of a value; bfloat16 goes through float32, which holds it exactly."""
    if value.element_type() != onnx.TensorProto.BFLOAT16:
        return value.numpy()
    widen = helper.make_model(helper.make_graph(
        [helper.make_node("Cast", ["x"], ["y"], to=onnx.TensorProto.FLOAT)], "widen",
        [helper.make_tensor_value_info("x", onnx.TensorProto.BFLOAT16, None)], [onnx.ValueInfoProto(name="y")]))
    widen.ir_version = 10
    [wide] = feeding.run(feeding.session(widen.SerializeToString()), {"x": value})
    return wide.numpy().astype(helper.tensor_dtype_to_np_dtype(onnx.TensorProto.BFLOAT16))


def single(model: onnx.ModelProto, node: onnx.NodeProto, feeds: dict, constants: dict, shapes: bool) -> onnx.ModelProto:
    read = needs(node)
    inputs = [helper.make_tensor_value_info(name, value.element_type(), value.shape() if shapes else None)
              for name, value in feeds.items()]
    outputs = [name for name in node.output if name]
    graph = helper.make_graph(
        [node], "alone", inputs, [onnx.ValueInfoProto(name=name) for name in outputs],
        [constants[name] for name in sorted(read & constants.keys())])
    alone = helper.make_model(graph, opset_imports=list(model.opset_import), functions=list(model.functions))
    alone.ir_version = model.ir_version
    return alone
