"""A CNN with a group convolution and a transposed one, as an exporter writes it."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper


def model(**tuned):
    kernel = tuned.get("conv1.kernel_shape", [3, 3])
    group = tuned.get("conv2.group", 2)
    width = tuned.get("w2.shape[0]", 8)
    weights = {
        "w1": (8, 3, *kernel),
        "b1": (8,),
        "w2": (width, 4, 3, 3),
        "w3": (8, 6, 2, 2),
        "w4": (tuned.get("w4.shape[0]", 6), 5),
    }
    nodes = [
        helper.make_node("Conv", ["x", "w1", "b1"], ["a"], "conv1", kernel_shape=kernel,
                         strides=tuned.get("conv1.strides", [1, 1]), pads=tuned.get("conv1.pads", [1, 1, 1, 1])),
        helper.make_node("Relu", ["a"], ["r"], "relu"),
        helper.make_node("MaxPool", ["r"], ["p"], "pool", kernel_shape=tuned.get("pool.kernel_shape", [2, 2]),
                         strides=[2, 2]),
        helper.make_node("Conv", ["p", "w2"], ["c"], "conv2", group=group, pads=[1, 1, 1, 1]),
        helper.make_node("Add", ["p", "c"], ["s"], "skip"),
        helper.make_node("ConvTranspose", ["s", "w3"], ["u"], "up", strides=[2, 2]),
        helper.make_node("ReduceMean", ["u"], ["m"], "mean", axes=[2, 3], keepdims=tuned.get("mean.keepdims", 0)),
        helper.make_node("Flatten", ["m"], ["f"], "flat", axis=tuned.get("flat.axis", 1)),
        helper.make_node("MatMul", ["f", "w4"], ["y"], "out"),
    ]
    stored = [numpy_helper.from_array(np.zeros(shape, np.float32), name) for name, shape in weights.items()]
    height = tuned.get("x.shape[2]", 8)
    # ONNX Runtime rounds a negative size to zero, and looks at less than the window.
    filtered = (height + 2 - kernel[0]) // tuned.get("conv1.strides", [1, 1])[0] + 1
    assert tuned.get("pool.kernel_shape", [2, 2])[0] <= filtered, "the kernel fits"
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3, height, 8])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "cnn", [x], [y], stored)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
