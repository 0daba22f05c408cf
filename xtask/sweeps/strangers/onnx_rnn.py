"""ONNX: LSTM, gather, reshape with constant, gemm."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper


def model(**t):
    H = 4
    W = {"emb": (10, t.get("emb.shape[1]", 6)), "W": (1, 4 * H, 6), "R": (1, 4 * H, 4), "gw": (t.get("gw.shape[0]", 20), 3), "gb": (3,)}
    nodes = [
        helper.make_node("Gather", ["emb", "ids"], ["e"], "gather", axis=t.get("gather.axis", 0)),
        helper.make_node("Transpose", ["e"], ["et"], "tr", perm=t.get("tr.perm", [1, 0, 2])),
        helper.make_node("LSTM", ["et", "W", "R"], ["y", "h"], "lstm", hidden_size=t.get("lstm.hidden_size", 4), direction=t.get("lstm.direction", "forward")),
        helper.make_node("Squeeze", ["y", "one"], ["ys"], "sq"),
        helper.make_node("Transpose", ["ys"], ["yt"], "tr2", perm=[1, 0, 2]),
        helper.make_node("Reshape", ["yt", "shape"], ["r"], "reshape", allowzero=t.get("reshape.allowzero", 0)),
        helper.make_node("Gemm", ["r", "gw", "gb"], ["g"], "gemm", transA=t.get("gemm.transA", 0), transB=t.get("gemm.transB", 0)),
        helper.make_node("TopK", ["g", "k"], ["v", "i"], "topk", axis=t.get("topk.axis", -1)),
        helper.make_node("Cast", ["i"], ["ic"], "cast", to=t.get("cast.to", 1)),
        helper.make_node("Add", ["v", "ic"], ["out"], "add"),
    ]
    stored = [numpy_helper.from_array(np.zeros(s, np.float32), n) for n, s in W.items()]
    stored += [numpy_helper.from_array(np.array([1], np.int64), "one"), numpy_helper.from_array(np.array([0, -1], np.int64), "shape"), numpy_helper.from_array(np.array([2], np.int64), "k")]
    x = helper.make_tensor_value_info("ids", TensorProto.INT64, [2, t.get("ids.shape[1]", 5)])
    o = helper.make_tensor_value_info("out", TensorProto.FLOAT, None)
    return helper.make_model(helper.make_graph(nodes, "g", [x], [o], stored), opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
