"""Attention of matrix products with a softmax, transposes and splits."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper


def model(**tuned):
    width, size = 12, tuned.get("x.shape[1]", 6)
    weights = {
        "w": np.zeros((width, 3 * width), np.float32),
        "heads": np.array([2, size, 3, 4], np.int64),
        "back": np.array([2, -1, 12], np.int64),
        "o": np.zeros((tuned.get("o.shape[0]", 12), 7), np.float32),
        "table": np.zeros((tuned.get("table.shape[0]", 6), 12), np.float32),
        "which": np.array([0, 5], np.int64),
    }
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["h"], "project"),
        helper.make_node("Split", ["h"], ["q", "k", "v"], "parts", axis=tuned.get("parts.axis", -1), num_outputs=3),
        helper.make_node("Reshape", ["q", "heads"], ["q4"], "rq"),
        helper.make_node("Reshape", ["k", "heads"], ["k4"], "rk"),
        helper.make_node("Reshape", ["v", "heads"], ["v4"], "rv"),
        helper.make_node("Transpose", ["q4"], ["qt"], "tq", perm=tuned.get("tq.perm", [0, 2, 1, 3])),
        helper.make_node("Transpose", ["k4"], ["kt"], "tk", perm=[0, 2, 3, 1]),
        helper.make_node("Transpose", ["v4"], ["vt"], "tv", perm=[0, 2, 1, 3]),
        helper.make_node("MatMul", ["qt", "kt"], ["s"], "score"),
        helper.make_node("Softmax", ["s"], ["p"], "soft", axis=tuned.get("soft.axis", -1)),
        helper.make_node("MatMul", ["p", "vt"], ["c"], "mix"),
        helper.make_node("Transpose", ["c"], ["ct"], "tc", perm=[0, 2, 1, 3]),
        helper.make_node("Reshape", ["ct", "back"], ["cr"], "join"),
        helper.make_node("Gather", ["table", "which"], ["g"], "pick", axis=tuned.get("pick.axis", 0)),
        helper.make_node("Gemm", ["g", "o"], ["y2"], "gemm", transA=tuned.get("gemm.transA", 0)),
        helper.make_node("MatMul", ["cr", "o"], ["y"], "out"),
    ]
    stored = [numpy_helper.from_array(value, name) for name, value in weights.items()]
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, size, 12])
    outs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("y", "y2")]
    graph = helper.make_graph(nodes, "attention", [x], outs, stored)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
