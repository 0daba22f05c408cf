"""Runs TensorFlow graphs on the witnesses that were found for their operations, and says which of them really fail.

    python graph_witnesses.py FINDINGS.json > observed.json

FINDINGS is a list of `{"graph": path, "node": name, "witness": {source: {"shape", "all", "values", "parts"}}}`. Every
source (placeholder, variable, iterator, draw) is replaced by a placeholder that is fed with what the witness says; the
operation counts as failing if it makes something that is not finite out of finite numbers.
"""

import json
import re
import sys

import numpy as np
import tensorflow as tf
from google.protobuf import text_format

tf1 = tf.compat.v1


def array(told, dtype):
    shape = told["shape"]
    if told.get("values"):
        return np.array([float(value) for value in told["values"]]).reshape(shape).astype(dtype)
    result = np.full(shape, 0.0 if told["all"] is None else float(told["all"]))
    for part in told.get("parts") or []:
        result[tuple(slice(low, high) for low, high in part["at"])] = float(part["value"])
    return result.astype(dtype)


def without_sources(graph, witness):
    """The graph with placeholders for what the witness names; gives also which one stands for what."""
    places = {}
    for name in witness:
        node, _, output = name.partition(":")
        places.setdefault(node, []).append((int(output or 0), name))
    kinds = {}
    result = tf1.GraphDef()
    result.versions.CopyFrom(graph.versions)
    for node in graph.node:
        if node.name in places:
            for output, name in places[node.name]:
                kind = None
                for key in ("dtype", "output_types", "component_types", "T"):
                    if key in node.attr:
                        value = node.attr[key]
                        kind = value.list.type[output] if value.list.type else value.type
                        break
                made = result.node.add(op="Placeholder", name=f"fed_{len(kinds)}")
                made.attr["dtype"].type = kind
                kinds[(node.name, output)] = (made.name, name, kind)
            continue
        result.node.add().CopyFrom(node)
    for node in result.node:
        inputs = []
        for each in node.input:
            if each.startswith("^"):
                if each[1:] not in places:
                    inputs.append(each)
                continue
            source, _, output = each.partition(":")
            fed = kinds.get((source, int(output or 0)))
            inputs.append(fed[0] if fed else each)
        del node.input[:]
        node.input.extend(inputs)
        node.device = ""
        for key in list(node.attr):
            if key == "_class":
                del node.attr[key]
    return result, kinds


def observe(finding):
    graph = tf1.GraphDef()
    with open(finding["graph"]) as file:
        text_format.Parse(file.read(), graph)
    graph, kinds = without_sources(graph, finding["witness"])
    known = {node.name for node in graph.node}
    graph = tf1.graph_util.extract_sub_graph(graph, [finding["node"]])
    kept = {node.name for node in graph.node}
    with tf.Graph().as_default() as built:
        tf1.import_graph_def(graph, name="")
        operation = built.get_operation_by_name(finding["node"])
        feed = {}
        for fed, name, _ in kinds.values():
            if fed in kept:
                tensor = built.get_tensor_by_name(fed + ":0")
                feed[tensor] = array(finding["witness"][name], tensor.dtype.as_numpy_dtype)
        # What the witness says nothing of has no say, but for its shape.
        for other in built.get_operations():
            if other.type in ("Placeholder", "VariableV2", "Variable") and not other.name.startswith("fed_"):
                tensor = other.outputs[0]
                shape = [2 if size is None else size for size in tensor.shape.as_list()]
                if other.type == "Placeholder":
                    feed[tensor] = np.zeros(shape, tensor.dtype.as_numpy_dtype)
                else:
                    read = built.get_tensor_by_name(other.name + "/read:0")
                    feed[read] = np.zeros(shape, read.dtype.as_numpy_dtype)
        floats = [tensor for tensor in operation.inputs if tensor.dtype.is_floating]
        with tf1.Session() as session:
            given, made = session.run([floats, list(operation.outputs)], feed)
    finite = all(np.isfinite(value).all() for value in given)
    fails = not all(np.isfinite(value).all() for value in made if np.issubdtype(np.asarray(value).dtype, np.floating))
    return {"finite_before": bool(finite), "fails": bool(fails), "nodes": len(known)}


def main():
    with open(sys.argv[1]) as file:
        findings = json.load(file)
    observed = []
    for finding in findings:
        row = {"graph": re.sub(r".*/", "", finding["graph"]), "node": finding["node"]}
        try:
            row.update(observe(finding))
        except Exception as error:  # noqa: BLE001, one graph that cannot be run must not hide the others
            row["error"] = f"{type(error).__name__}: {str(error)[:300]}"
        observed.append(row)
    print(json.dumps(observed, indent=1))


if __name__ == "__main__":
    main()
