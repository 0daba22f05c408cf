"""One random change to a graph, of the kinds that people and converters get wrong.

`mutate(model, generator)` promises to change the model in place at one spot and to return what it did as a
`Mutation`, or None if the kind it drew has no place in this graph.
"""

from dataclasses import dataclass

import numpy
import onnx
from onnx import AttributeProto, NodeProto, TensorProto, helper, numpy_helper

Generator = numpy.random.Generator


@dataclass
class Mutation:
    kind: str
    description: str
    # The node whose meaning changed; for a changed weight or input, its first reader.
    node: str | None


def mutate(model: onnx.ModelProto, generator: Generator) -> Mutation | None:
    kinds = list(KINDS)
    weights = numpy.array([weight for _, weight in KINDS.values()], float)
    kind = kinds[generator.choice(len(kinds), p=weights / weights.sum())]
    found = KINDS[kind][0](model, generator)
    if found is None:
        return None
    node, description = found
    return Mutation(kind, description, node)


def pick(generator: Generator, candidates: list):
    return candidates[generator.integers(len(candidates))] if candidates else None


def pick_node(generator: Generator, nodes: list[NodeProto]) -> NodeProto | None:
    """Operator first, then one of its nodes, so that rare operators are met as often as common ones."""
    if not nodes:
        return None
    operator = pick(generator, sorted({node.op_type for node in nodes}))
    return pick(generator, [node for node in nodes if node.op_type == operator])


def working_nodes(model: onnx.ModelProto) -> list[NodeProto]:
    return [node for node in model.graph.node if node.op_type != "Constant"]


def label(node: NodeProto) -> str:
    return f"{node.op_type} {node.name!r}"


# Attributes


PLAIN = (AttributeProto.INT, AttributeProto.INTS, AttributeProto.FLOAT, AttributeProto.STRING, AttributeProto.STRINGS)


def attributes(model: onnx.ModelProto, wanted) -> list[tuple[NodeProto, AttributeProto]]:
    return [(node, attribute) for node in working_nodes(model) for attribute in node.attribute if wanted(attribute)]


def pick_attribute(model: onnx.ModelProto, generator: Generator, wanted=lambda attribute: attribute.type in PLAIN):
    found = attributes(model, wanted)
    node = pick_node(generator, [node for node, _ in found])
    if node is None:
        return None, None
    return node, pick(generator, [attribute for holder, attribute in found if holder is node])


def replace_attribute(node: NodeProto, attribute: AttributeProto, value) -> str:
    before = shown(attribute)
    name = attribute.name
    node.attribute.remove(attribute)
    if isinstance(value, list) and not value:
        node.attribute.append(AttributeProto(name=name, type=AttributeProto.INTS))
    else:
        node.attribute.append(helper.make_attribute(name, value))
    return f"{label(node)}: {name} {before} -> {value}"


def shown(attribute: AttributeProto) -> str:
    return str(helper.get_attribute_value(attribute))[:100]


STRINGS = ["SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET", "constant", "edge", "reflect", "wrap", "linear", "nearest",
           "cubic", "bidirectional", "reverse", "forward", "none", "sum", "mean", "mul", "tanh", "DCR", "zeros", "bogus"]


def change_attribute(model, generator):
    node, attribute = pick_attribute(model, generator)
    if attribute is None:
        return None
    value = helper.get_attribute_value(attribute)
    if attribute.type == AttributeProto.INT:
        value = int(pick(generator, [other for other in (0, 1, 2, 3, 4, 7, 16) if other != value]))
    elif attribute.type == AttributeProto.INTS:
        value = list(value)
        action = pick(generator, ["element", "element", "element", "longer", "shorter"])
        if action == "longer" or not value:
            value.append(value[-1] if value else 1)
        elif action == "shorter":
            value.pop()
        else:
            place = generator.integers(len(value))
            value[place] = int(pick(generator, [other for other in (0, 1, 2, 3, 5, 8) if other != value[place]]))
    elif attribute.type == AttributeProto.FLOAT:
        value = float(pick(generator, [0.0, -1.0, value * 2 + 0.25, 1e9]))
    elif attribute.name == "equation":
        value = change_equation(value.decode(), generator)
    elif attribute.type == AttributeProto.STRING:
        value = pick(generator, [other for other in STRINGS if other.encode() != value])
    else:
        value = [pick(generator, ["Relu", "Sigmoid", "Bogus"])] * (len(value) + int(generator.integers(2)))
    return node.name, replace_attribute(node, attribute, value)


def change_equation(equation: str, generator: Generator) -> str:
    letters = [place for place, letter in enumerate(equation) if letter.isalpha()]
    place = pick(generator, letters)
    action = pick(generator, ["replace", "remove", "double"])
    letter = equation[place]
    other = {"replace": pick(generator, [equation[at] for at in letters] + ["z"]), "remove": "", "double": letter * 2}
    return equation[:place] + other[action] + equation[place + 1:]


def shift_attribute(model, generator):
    node, attribute = pick_attribute(
        model, generator, lambda attribute: attribute.type == AttributeProto.INT or attribute.ints)
    if attribute is None:
        return None
    step = int(pick(generator, [-1, 1]))
    if attribute.type == AttributeProto.INT:
        return node.name, replace_attribute(node, attribute, attribute.i + step)
    value = list(attribute.ints)
    value[generator.integers(len(value))] += step
    return node.name, replace_attribute(node, attribute, value)


def negate_attribute(model, generator):
    node, attribute = pick_attribute(
        model, generator, lambda attribute: attribute.type == AttributeProto.INT or attribute.ints)
    if attribute is None:
        return None
    if attribute.type == AttributeProto.INT:
        return node.name, replace_attribute(node, attribute, -attribute.i or -1)
    value = list(attribute.ints)
    place = generator.integers(len(value))
    value[place] = -value[place] or -1
    return node.name, replace_attribute(node, attribute, value)


def remove_attribute(model, generator):
    node, attribute = pick_attribute(model, generator, lambda attribute: True)
    if attribute is None:
        return None
    description = f"{label(node)}: {attribute.name} removed"
    node.attribute.remove(attribute)
    return node.name, description


def retype_attribute(model, generator):
    node, attribute = pick_attribute(model, generator)
    if attribute is None:
        return None
    value = helper.get_attribute_value(attribute)
    others = {
        AttributeProto.INT: [[value], float(value), str(value)] if isinstance(value, int) else [],
        AttributeProto.INTS: [value[0] if len(value) else 1, [float(item) for item in value] or 1.0]
        if isinstance(value, list) or hasattr(value, "__len__") else [],
        AttributeProto.FLOAT: [1, [1.0]],
        AttributeProto.STRING: [1, 1.0],
        AttributeProto.STRINGS: [1, "text"],
    }
    return node.name, replace_attribute(node, attribute, pick(generator, others[attribute.type])) + " (wrong type)"


def add_attribute(model, generator):
    """Sets an attribute that the operator has and the node left at its default."""
    opset = next(entry.version for entry in model.opset_import if entry.domain == "")
    node = pick_node(generator, [node for node in working_nodes(model) if unset(node, opset)])
    if node is None:
        return None
    schema = pick(generator, unset(node, opset))
    value = pick(generator, ADDED[schema.type])
    node.attribute.append(helper.make_attribute(schema.name, value))
    return node.name, f"{label(node)}: {schema.name} set to {value}"


def unset(node: NodeProto, opset: int) -> list:
    if node.domain:
        return []
    given = {attribute.name for attribute in node.attribute}
    known = onnx.defs.get_schema(node.op_type, opset).attributes.values()
    return [schema for schema in known if schema.name not in given and schema.type in ADDED]


ADDED = {
    onnx.defs.OpSchema.AttrType.INT: [0, 1, 2, -1],
    onnx.defs.OpSchema.AttrType.INTS: [[1, 1], [2, 2], [0, 1, 2, 3], [1]],
    onnx.defs.OpSchema.AttrType.FLOAT: [0.5, 2.0],
    onnx.defs.OpSchema.AttrType.STRING: STRINGS,
}


# Axes and permutations: attributes, or the constant inputs that newer opsets use


def change_axis(model, generator):
    places = [(node, attribute) for node, attribute in attributes(model, lambda attribute: True)
              if attribute.name in ("axis", "axes")]
    stored = constants(model)
    for node in working_nodes(model):
        place = {"Squeeze": 1, "Unsqueeze": 1, "Slice": 3, "CumSum": 1, "DFT": 2}.get(node.op_type)
        place = 1 if node.op_type.startswith("Reduce") else place
        if place is not None and len(node.input) > place and node.input[place] in stored:
            places.append((node, node.input[place]))
    node = pick_node(generator, [node for node, _ in places])
    if node is None:
        return None
    where = pick(generator, [where for holder, where in places if holder is node])
    if isinstance(where, AttributeProto):
        value = helper.get_attribute_value(where)
        if isinstance(value, int):
            return node.name, replace_attribute(node, where, other_axis(generator, value))
        value = [int(item) for item in value]
        if not value:
            return None
        place = generator.integers(len(value))
        value[place] = other_axis(generator, value[place])
        return node.name, replace_attribute(node, where, value)
    array = stored[where].copy()
    if array.size == 0:
        return None
    flat = array.reshape(-1)
    place = generator.integers(flat.size)
    before = int(flat[place])
    flat[place] = other_axis(generator, before)
    give_own_constant(model, node, list(node.input).index(where), array)
    return node.name, f"{label(node)}: axis {before} -> {flat[place]} in {where!r}"


def other_axis(generator: Generator, axis: int) -> int:
    return int(pick(generator, [other for other in (-5, -3, -2, -1, 0, 1, 2, 3, 4) if other != axis]))


def change_permutation(model, generator):
    node, attribute = pick_attribute(model, generator, lambda attribute: attribute.name == "perm")
    if attribute is None:
        return None
    value = list(attribute.ints)
    action = pick(generator, ["shuffle", "shuffle", "shuffle", "repeat", "shorter", "beyond"])
    if action == "shuffle":
        value = [int(axis) for axis in generator.permutation(value)]
        if value == list(attribute.ints):
            value.reverse()
    elif action == "repeat":
        value[0] = value[-1]
    elif action == "shorter":
        value.pop()
    else:
        value[value.index(max(value))] += 1
    return node.name, replace_attribute(node, attribute, value)


# Weights and constants


def readers(model: onnx.ModelProto, name: str) -> list[NodeProto]:
    return [node for node in model.graph.node if name in node.input]


def constants(model: onnx.ModelProto) -> dict[str, numpy.ndarray]:
    """Integer tensors written into the graph, which mostly are shapes, axes, starts and sizes."""
    found = {tensor.name: tensor for tensor in model.graph.initializer
             if tensor.data_type == TensorProto.INT64 and numpy.prod(tensor.dims) <= 16}
    arrays = {name: numpy_helper.to_array(tensor) for name, tensor in found.items()}
    for node in model.graph.node:
        if node.op_type == "Constant":
            attribute = node.attribute[0]
            if attribute.name == "value" and attribute.t.data_type == TensorProto.INT64:
                arrays[node.output[0]] = numpy_helper.to_array(attribute.t)
            elif attribute.name in ("value_ints", "value_int"):
                arrays[node.output[0]] = numpy.array(helper.get_attribute_value(attribute), numpy.int64)
    return arrays


def give_own_constant(model: onnx.ModelProto, node: NodeProto, place: int, array: numpy.ndarray) -> None:
    """One reader gets the changed constant; others that share the old one are left alone."""
    name = node.input[place] + "_changed"
    model.graph.initializer.append(numpy_helper.from_array(array, name))
    node.input[place] = name


def change_constant(model, generator):
    stored = {name: array for name, array in constants(model).items() if array.size}
    node = pick_node(generator, [node for node in working_nodes(model) if set(node.input) & set(stored)])
    if node is None:
        return None
    place = pick(generator, [place for place, name in enumerate(node.input) if name in stored])
    name = node.input[place]
    array = stored[name].copy()
    action = pick(generator, ["value", "value", "value", "longer", "shorter", "rank"])
    if action == "value":
        flat = array.reshape(-1)
        at = generator.integers(flat.size)
        before = int(flat[at])
        flat[at] = pick(generator, [other for other in (before - 1, before + 1, 0, -1, 2, -before) if other != before])
        what = f"[{at}] {before} -> {flat[at]}"
    elif action == "longer":
        array = numpy.append(array.reshape(-1), array.reshape(-1)[-1])
        what = f"one element longer: {array.tolist()}"
    elif action == "shorter":
        array = array.reshape(-1)[:-1].copy()
        what = f"one element shorter: {array.tolist()}"
    else:
        array = array.reshape(-1)[:1].reshape(()) if array.ndim else array.reshape(1)
        what = f"of rank {array.ndim}"
    give_own_constant(model, node, place, array)
    return node.name, f"{label(node)}: constant input {place} {name!r} {what}"


def pick_weight(model: onnx.ModelProto, generator: Generator, least_rank: int = 0):
    stored = {tensor.name: tensor for tensor in model.graph.initializer if len(tensor.dims) >= least_rank}
    node = pick_node(generator, [node for node in working_nodes(model) if set(node.input) & set(stored)])
    if node is None:
        return None, None
    return node, stored[pick(generator, [name for name in node.input if name in stored])]


def replace_weight(tensor: TensorProto, array: numpy.ndarray) -> str:
    before = f"{helper.tensor_dtype_to_np_dtype(tensor.data_type).name}{list(tensor.dims)}"
    tensor.CopyFrom(numpy_helper.from_array(numpy.ascontiguousarray(array).reshape(array.shape), tensor.name))
    return f"weight {tensor.name!r} {before} -> {array.dtype.name}{list(array.shape)}"


def resize_weight(model, generator):
    node, tensor = pick_weight(model, generator, 1)
    if tensor is None:
        return None
    array = numpy_helper.to_array(tensor)
    axis = int(generator.integers(array.ndim))
    size = array.shape[axis]
    new = int(pick(generator, [other for other in (size - 1, size + 1, size * 2, size // 2, 1) if other != size]))
    shape = [*array.shape]
    shape[axis] = new
    return node.name, replace_weight(tensor, numpy.resize(array, shape).astype(array.dtype))


def transpose_weight(model, generator):
    node, tensor = pick_weight(model, generator, 2)
    if tensor is None:
        return None
    array = numpy_helper.to_array(tensor)
    first, second = (int(axis) for axis in generator.choice(array.ndim, 2, replace=False))
    return node.name, replace_weight(tensor, array.swapaxes(first, second)) + f" (axes {first} and {second} swapped)"


def rerank_weight(model, generator):
    node, tensor = pick_weight(model, generator)
    if tensor is None:
        return None
    array = numpy_helper.to_array(tensor)
    shapes = [[1, *array.shape], [*array.shape, 1], [-1]]
    if array.ndim > 1:
        shapes += [[array.shape[0], -1], [array.shape[0] * array.shape[1], *array.shape[2:]]]
    if array.size == 1:
        shapes.append([])
    shapes = [shape for shape in shapes if len(shape) != array.ndim]
    return node.name, replace_weight(tensor, array.reshape(pick(generator, shapes)))


# Element types


TYPES = [TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.INT64, TensorProto.INT32,
         TensorProto.INT8, TensorProto.UINT8, TensorProto.BOOL]


def other_type(generator: Generator, element: int) -> int:
    return pick(generator, [other for other in TYPES if other != element])


def retype_weight(model, generator):
    node, tensor = pick_weight(model, generator)
    if tensor is None:
        return None
    element = other_type(generator, tensor.data_type)
    with numpy.errstate(all="ignore"):
        array = numpy_helper.to_array(tensor).astype(helper.tensor_dtype_to_np_dtype(element))
    return node.name, replace_weight(tensor, array)


def retype_input(model, generator):
    value = pick(generator, list(model.graph.input))
    if value is None:
        return None
    before = value.type.tensor_type.elem_type
    value.type.tensor_type.elem_type = other_type(generator, before)
    after = value.type.tensor_type.elem_type
    names = [TensorProto.DataType.Name(element) for element in (before, after)]
    return next((node.name for node in readers(model, value.name)), None), f"input {value.name!r} {names[0]} -> {names[1]}"


def retype_cast(model, generator):
    node, attribute = pick_attribute(model, generator, lambda attribute: attribute.name in ("to", "dtype"))
    if attribute is None:
        return None
    return node.name, replace_attribute(node, attribute, other_type(generator, attribute.i))


# Edges


def rewire_edge(model, generator):
    """Mostly to a value computed before the node; one time in twelve to any value, which may close a cycle."""
    node = pick_node(generator, [node for node in working_nodes(model) if any(node.input)])
    place = pick(generator, [place for place, name in enumerate(node.input) if name])
    known = [value.name for value in model.graph.input]
    for other in model.graph.node:
        if other is node and generator.integers(12):
            break
        known += [name for name in other.output if name]
    if generator.integers(4) == 0:
        known = [tensor.name for tensor in model.graph.initializer] or known
    name = pick(generator, [name for name in known if name != node.input[place]])
    if name is None:
        return None
    description = f"{label(node)}: input {place} {node.input[place]!r} -> {name!r}"
    node.input[place] = name
    return node.name, description


def swap_edges(model, generator):
    node = pick_node(generator, [node for node in working_nodes(model) if len(set(node.input)) > 1])
    if node is None:
        return None
    pairs = [(i, j) for i in range(len(node.input)) for j in range(i) if node.input[i] != node.input[j]]
    first, second = pick(generator, pairs)
    node.input[first], node.input[second] = node.input[second], node.input[first]
    return node.name, f"{label(node)}: inputs {second} and {first} swapped"


def drop_edge(model, generator):
    node = pick_node(generator, [node for node in working_nodes(model) if any(node.input)])
    place = pick(generator, [place for place, name in enumerate(node.input) if name])
    name = node.input[place]
    if generator.integers(2):
        del node.input[place]
        return node.name, f"{label(node)}: input {place} {name!r} removed"
    node.input[place] = ""
    return node.name, f"{label(node)}: input {place} {name!r} left empty"


# Operators


SIBLINGS = [
    ["Add", "Sub", "Mul", "Div", "Pow", "PRelu", "Mod", "Equal", "And"],
    ["Relu", "Sigmoid", "Tanh", "Erf", "Exp", "Sqrt", "Softplus", "HardSwish", "HardSigmoid", "Gelu", "LeakyRelu",
     "Elu", "Abs", "Neg", "Floor", "Reciprocal", "Not", "IsNaN", "Det"],
    ["MaxPool", "AveragePool", "LpPool", "Conv"],
    ["GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool", "Flatten"],
    ["Conv", "ConvTranspose", "MatMul", "ConvInteger"],
    ["MatMul", "Gemm", "MatMulInteger", "Add"],
    ["ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL2", "ReduceLogSumExp", "ArgMax"],
    ["ArgMax", "ArgMin", "ReduceMax", "Hardmax"],
    ["Softmax", "LogSoftmax", "Hardmax", "LpNormalization"],
    ["Gather", "GatherElements", "GatherND", "Compress"],
    ["ScatterND", "ScatterElements", "TensorScatter"],
    ["Squeeze", "Unsqueeze", "ReduceSum"],
    ["Reshape", "Expand", "Tile", "Pad"],
    ["Greater", "Less", "Equal", "GreaterOrEqual", "LessOrEqual", "Add", "And"],
    ["And", "Or", "Xor", "Equal"],
    ["LSTM", "GRU", "RNN"],
    ["DepthToSpace", "SpaceToDepth"],
    ["Concat", "Sum", "Max", "Mean"],
    ["LayerNormalization", "InstanceNormalization", "GroupNormalization", "RMSNormalization"],
    ["BatchNormalization", "InstanceNormalization", "LayerNormalization"],
    ["Transpose", "Flatten", "Identity", "Squeeze"],
    ["Where", "Clip", "Concat"],
    ["Slice", "Split", "Pad", "Gather"],
    ["Shape", "Size", "NonZero"],
    ["QuantizeLinear", "DequantizeLinear"],
    ["QLinearConv", "QLinearMatMul"],
    ["BitwiseAnd", "BitwiseOr", "BitwiseXor", "Mul"],
    ["NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"],
    ["Cast", "Identity", "Floor", "CastLike"],
    ["ConstantOfShape", "Expand", "EyeLike"],
    ["Min", "Max", "Sum", "Mean", "Concat"],
]


def replace_operator(model, generator):
    nodes = [node for node in working_nodes(model) if any(node.op_type in family for family in SIBLINGS)]
    node = pick_node(generator, nodes)
    if node is None:
        return None
    family = pick(generator, [family for family in SIBLINGS if node.op_type in family])
    other = pick(generator, [name for name in family if name != node.op_type])
    description = f"{label(node)}: operator -> {other}"
    node.op_type = other
    return node.name, description


# How often each kind is drawn; chosen so that rather more than half of the mutants fail.
KINDS = {
    "attribute changed": (change_attribute, 11),
    "attribute off by one": (shift_attribute, 8),
    "attribute negative": (negate_attribute, 8),
    "attribute removed": (remove_attribute, 12),
    "attribute of wrong type": (retype_attribute, 1),
    "attribute added": (add_attribute, 14),
    "axis": (change_axis, 10),
    "permutation": (change_permutation, 3),
    "constant": (change_constant, 6),
    "weight resized": (resize_weight, 5),
    "weight transposed": (transpose_weight, 2),
    "weight rank": (rerank_weight, 6),
    "weight type": (retype_weight, 2),
    "input type": (retype_input, 2),
    "cast type": (retype_cast, 3),
    "edge rewired": (rewire_edge, 4),
    "edges swapped": (swap_edges, 8),
    "edge dropped": (drop_edge, 2),
    "operator": (replace_operator, 5),
}
