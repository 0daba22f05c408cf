"""Runs ONNX models for `tensorvet fuzz`: one JSON object a line in, one out.

Promises: the first line out says what is here, or what is missing. Every line in holds a model as ONNX text and its
inputs. By `build` and `call` each node is a model of its own, without optimisation: what the runtime infers of its
outputs, and what they are on the values that were seen before. By `predict` the whole model runs, optimised, and
shows its last outputs only. Arrays are the bytes of their elements, in hexadecimal. A node that the runtime has no
kernel for is passed over, and so is what needs it. Before each way its name is told, and before each node its number.
"""

try:
    import numpy
    import onnx
    import onnxruntime
except Exception as error:
    answer({"missing": f"{type(error).__name__}: {error}"})
    sys.exit(0)

TYPES = {"float": "float32", "double": "float64"}


def array(told):
    return numpy.frombuffer(bytes.fromhex(told["data"]), told["dtype"]).reshape(told["shape"]).copy()


def seen(value):
    value = numpy.array(value, order="C")
    return {"dtype": value.dtype.name, "shape": list(value.shape), "data": value.tobytes().hex()}


def described(output):
    name = output.type.removeprefix("tensor(").removesuffix(")")
    shape = [size if isinstance(size, int) else None for size in output.shape]
    return {"dtype": TYPES.get(name, name), "shape": shape}


def session(model, optimised):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    levels = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = levels.ORT_ENABLE_ALL if optimised else levels.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def is_absent(error):
    """Whether the runtime has no kernel for what was asked, or Python no array of such elements to hand over, rather
    than something against it."""
    words = ("NOT_IMPLEMENTED", "can't be converted to MLDataType", "No corresponding Numpy type")
    return any(word in str(error) for word in words) or "NotImplemented" in type(error).__name__


def refused(call, error):
    text = str(error).strip()
    return {"call": call, "message": f"{type(error).__name__}: {text}"[:2000]}


def alone(model, node, values, stored):
    """A node as a model of its own, on values that are known."""
    inputs, initializers = [], []
    for name in dict.fromkeys(name for name in node.input if name):
        if name in stored:
            initializers.append(stored[name])
        else:
            value = values[name]
            kind = onnx.helper.np_dtype_to_tensor_dtype(value.dtype)
            inputs.append(onnx.helper.make_tensor_value_info(name, kind, value.shape))
    outputs = [onnx.ValueInfoProto(name=name) for name in node.output]
    graph = onnx.helper.make_graph([node], "node", inputs, outputs, initializers)
    return onnx.helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)


def by_nodes(model, inputs, build, call):
    stored = {tensor.name: tensor for tensor in model.graph.initializer}
    values = dict(inputs)
    for k, node in enumerate(model.graph.node):
        if not all(name in values or name in stored for name in node.input if name):
            continue
        answer({"way": "call", "call": k})
        try:
            running = session(alone(model, node, values, stored), False)
        except Exception as error:
            if is_absent(error):
                continue
            build["refused"] = call["refused"] = refused(k, error)
            return
        for output in running.get_outputs():
            # What it could not infer it shows as if it had no axes.
            if output.type.startswith("tensor(") and output.shape:
                build["values"][output.name] = described(output)
        try:
            given = {name: values[name] for name in node.input if name in values}
            results = running.run(list(node.output), given)
        except Exception as error:
            if is_absent(error):
                continue
            call["refused"] = refused(k, error)
            return
        for name, result in zip(node.output, results):
            values[name] = result
            call["values"][name] = seen(result)


def results(model, inputs, count, names):
    """What the first nodes of a model give, optimised."""
    changed = onnx.ModelProto()
    changed.CopyFrom(model)
    del changed.graph.node[count:], changed.graph.output[:]
    changed.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    return session(changed, True).run(names, inputs)


def whole(model, inputs, told):
    names = [output.name for output in model.graph.output]
    nodes = model.graph.node
    try:
        for name, result in zip(names, results(model, inputs, len(nodes), names)):
            told["values"][name] = seen(result)
    except Exception as error:
        blamed = len(nodes) - 1
        for k, node in enumerate(nodes):
            try:
                results(model, inputs, k + 1, list(node.output)[:1])
            except Exception as first:
                blamed, error = k, first
                break
        told["refused"] = refused(blamed, error)
        if is_absent(error):
            told["refused"]["unsupported"] = True


def run(case):
    ways = {way: {"values": {}} for way in ("build", "call", "predict")}
    try:
        model = onnx.parser.parse_model(case["model"])
    except Exception as error:
        told = {"unsupported": True, "message": f"onnx.parser: {error}"[:2000]}
        return {way: {"values": {}, "refused": told} for way in case["ways"]}
    inputs = {told["name"]: array(told) for told in case["inputs"]}
    if "build" in case["ways"] or "call" in case["ways"]:
        answer({"way": "call"})
        by_nodes(model, inputs, ways["build"], ways["call"])
    if "predict" in case["ways"]:
        answer({"way": "predict"})
        whole(model, inputs, ways["predict"])
    return {way: ways[way] for way in case["ways"]}


def versions():
    import platform

    return {
        "Python": platform.python_version(),
        "ONNX Runtime": onnxruntime.__version__,
        "ONNX": onnx.__version__,
        "NumPy": numpy.__version__,
    }


answer({"versions": versions()})
serve(lambda case: answer({"ways": run(case)}))
