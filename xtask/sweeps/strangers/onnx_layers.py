"""ONNX: resize, concat, pads, split, layernorm, einsum."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper


def model(**t):
    W = {
        "w1": (4, 2, *t.get("down.kernel_shape", [3, 3])),
        "w2": (t.get("w2.shape[0]", 4), 4, 3, 3),
        "g": (8,), "b": (8,),
    }
    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["d"], "down", strides=t.get("down.strides", [2, 2]), auto_pad=t.get("down.auto_pad", "SAME_UPPER"), kernel_shape=t.get("down.kernel_shape", [3, 3]), dilations=t.get("down.dilations", [1, 1])),
        helper.make_node("Conv", ["d", "w2"], ["m"], "mid", pads=[1, 1, 1, 1], group=t.get("mid.group", 1)),
        helper.make_node("Concat", ["d", "m"], ["c"], "cat", axis=t.get("cat.axis", 1)),
        helper.make_node("Transpose", ["c"], ["tr"], "tr", perm=t.get("tr.perm", [0, 2, 3, 1])),
        helper.make_node("LayerNormalization", ["tr", "g", "b"], ["ln"], "ln", axis=t.get("ln.axis", -1)),
        helper.make_node("Split", ["ln"], ["s1", "s2"], "split", axis=t.get("split.axis", -1), num_outputs=2),
        helper.make_node("Mul", ["s1", "s2"], ["y"], "mul"),
        helper.make_node("ReduceSum", ["y", "axes"], ["z"], "sum", keepdims=t.get("sum.keepdims", 0)),
        helper.make_node("LogSoftmax", ["z"], ["out"], "soft", axis=t.get("soft.axis", -1)),
    ]
    stored = [numpy_helper.from_array(np.zeros(s, np.float32), n) for n, s in W.items()]
    stored.append(numpy_helper.from_array(np.array([1, 2], np.int64), "axes"))
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 2, t.get("x.shape[2]", 8), t.get("x.shape[3]", 8)])
    o = helper.make_tensor_value_info("out", TensorProto.FLOAT, None)
    g = helper.make_graph(nodes, "g", [x], [o], stored)
    return helper.make_model(g, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
