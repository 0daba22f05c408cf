"""Changes calls a little: sizes, ranks, element types, numbers, words, layouts, arguments given or left out.

A call is a tree of Python's own `ast`; nothing here knows what a function requires.
"""

import ast
import copy
import inspect

import torch

FACTORIES = {"rand", "randn", "zeros", "ones", "empty"}
KINDS = ["float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "uint8", "bool", "complex64"]
WORDS = {"ij", "xy", "none", "mean", "sum", "batchmean", "zeros", "reflect", "replicate", "circular", "constant", "same", "valid", "nearest", "bilinear", "linear", "bicubic", "trilinear", "area", "fro", "nuc", "floor", "trunc", "amax", "amin", "prod", "reduced", "complete", "r", "tanh", "fan_in", "fan_out", "relu", "max", "ortho", "forward", "backward", "border", "reflection", "nearest-exact"}


def varied(tree, draw, words, missing):
    """A changed copy of a call's tree; `words` are texts seen in calls of this API, `missing` draws arguments not given."""
    tree = copy.deepcopy(tree)
    for _ in range(draw.choice([1, 1, 1, 2])):
        places = list(targets(tree))
        if not places:
            return tree
        # First what kind of change, then where: else long lists of numbers would get all changes.
        change = draw.choice(sorted({change.__name__ for change, _ in places}))
        function, node = draw.choice([place for place in places if place[0].__name__ == change])
        function(node, draw, words, missing)
    return tree


def is_factory(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id == "torch"


def is_tensor(node):
    return is_factory(node) and node.func.attr in FACTORIES | {"tensor"}


def targets(tree):
    """Every change that can be made, with the node it is made to."""
    for node in ast.walk(tree):
        if is_factory(node) and node.func.attr in FACTORIES and node.args and isinstance(node.args[0], ast.Tuple):
            yield change_size, node
            yield change_size, node
            yield change_rank, node
        if is_tensor(node):
            yield change_kind, node
            yield change_layout, node
        elif isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id == "float"):
            for place in range(len(node.args)):
                yield replace_argument, (node, place)
            for keyword in node.keywords:
                yield change_keyword, (node, keyword)
            yield change_arguments, node
            yield give_argument, node
        for parent_field, child in ast.iter_fields(node):
            if is_factory(node) and node.func.attr in FACTORIES and parent_field == "args":
                continue
            for one in child if isinstance(child, list) else [child]:
                if isinstance(one, ast.Constant) and one.value is not Ellipsis:
                    yield change_constant, one
                elif isinstance(one, (ast.List, ast.Tuple)) and not is_factory(node):
                    yield change_list, one


def change_size(node, draw, *_):
    sizes = node.args[0].elts
    if sizes:
        place = draw.randrange(len(sizes))
        old = sizes[place].value if isinstance(sizes[place], ast.Constant) else 2
        sizes[place] = ast.Constant(draw.choice([0, 1, 1, 2, 3, old + 1, max(old - 1, 0), old * 2]))


def change_rank(node, draw, *_):
    sizes = node.args[0].elts
    if sizes and draw.random() < 0.5:
        del sizes[draw.randrange(len(sizes))]
    else:
        sizes.insert(draw.randint(0, len(sizes)), ast.Constant(draw.choice([1, 1, 2, 3])))


def change_kind(node, draw, *_):
    node.keywords = [keyword for keyword in node.keywords if keyword.arg != "dtype"]
    kind = draw.choice(KINDS)
    if node.func.attr in ("rand", "randn") and not getattr(torch, kind).is_floating_point and not getattr(torch, kind).is_complex:
        node.func.attr = "ones"
    node.keywords.append(ast.keyword("dtype", ast.parse(f"torch.{kind}", mode="eval").body))


def change_layout(node, draw, *_):
    """The same tensor seen through a view, so that its elements do not lie in order."""
    inner = copy.deepcopy(node)
    view = draw.choice(["x.transpose(0, -1)", "x[::2]", "x[..., 1:]", "x.unsqueeze(0)", "x.squeeze()", "x.mT", "x.flip(0)", "x.expand(2, *x.shape)"])
    tree = ast.parse(view.replace("x.expand(2, *x.shape)", "x.unsqueeze(0)"), mode="eval").body

    class Fill(ast.NodeTransformer):
        def visit_Name(self, name):
            return inner if name.id == "x" else name

    become(node, Fill().visit(tree))


def change_constant(node, draw, words, _):
    old = node.value
    if isinstance(old, bool):
        node.value = not old
    elif isinstance(old, int):
        node.value = draw.choice([0, 1, -1, 2, 3, old + 1, old - 1, -old, old * 2, -2])
    elif isinstance(old, float):
        node.value = draw.choice([0.0, 1.0, -1.0, 0.5, 2.0, -0.5, old * 2, int(old) if abs(old) < 1e9 else 1])
    elif isinstance(old, str):
        node.value = draw.choice([*words, *words, draw.choice(sorted(WORDS)), "bogus", old.upper()]) if words else "bogus"
    elif old is None:
        node.value = draw.choice([0, 1, 2, 1.0, True])


def change_list(node, draw, *_):
    items = node.elts
    if len(items) > 12:
        return
    what = draw.random()
    if items and what < 0.35:
        del items[draw.randrange(len(items))]
    elif items and what < 0.7:
        items.insert(draw.randrange(len(items) + 1), copy.deepcopy(draw.choice(items)))
    elif items and what < 0.85:
        become(node, copy.deepcopy(items[0]))
    else:
        draw.shuffle(items)


def a_value(draw):
    return ast.parse(draw.choice(["None", "'x'", "1.5", "2", "[1]", "True", "torch.rand((2, 3))", "torch.rand(())", "torch.ones((2,), dtype=torch.int64)", "(1, 2)", "0", "-1", "2j"]), mode="eval").body


def replace_argument(where, draw, *_):
    node, place = where
    if draw.random() < 0.5:
        node.args[place] = a_value(draw)
    elif isinstance(node.args[place], ast.Constant) and isinstance(node.args[place].value, int):
        value = node.args[place]
        node.args[place] = ast.Tuple([copy.deepcopy(value) for _ in range(draw.randint(1, 3))], ast.Load())


def change_keyword(where, draw, *_):
    node, keyword = where
    what = draw.random()
    if what < 0.5:
        node.keywords.remove(keyword)
    elif what < 0.9:
        keyword.value = a_value(draw)
    else:
        keyword.arg = keyword.arg + "s" if keyword.arg else keyword.arg


def change_arguments(node, draw, *_):
    what = draw.random()
    if node.args and what < 0.4:
        del node.args[-1]
    elif what < 0.6:
        node.args.append(a_value(draw))
    elif what < 0.8 and len(node.args) > 1:
        place = draw.randrange(len(node.args) - 1)
        node.args[place], node.args[place + 1] = node.args[place + 1], node.args[place]
    else:
        node.keywords.append(ast.keyword(draw.choice(["dim", "bogus", "keepdim", "dtype", "axis", "out"]), a_value(draw)))


def give_argument(node, draw, words, missing):
    """An argument that the signature has and the call does not give."""
    drawn = missing(node, draw)
    if drawn is not None and drawn[0] not in {keyword.arg for keyword in node.keywords}:
        node.keywords.append(ast.keyword(drawn[0], ast.parse(drawn[1], mode="eval").body))


def become(node, other):
    node.__class__ = other.__class__
    node.__dict__.clear()
    node.__dict__.update(other.__dict__)


def signature(api):
    """What the call of an API may be given by name: (name, kind of value) pairs."""
    path = api.replace("F.", "nn.functional.", 1) if api.startswith("F.") else api
    parts = path.split(".")
    parts = parts[1:] if parts[0] == "torch" else parts
    target = torch
    for part in parts:
        target = getattr(target, part, None)
    try:
        return [(name, of_default(parameter.default)) for name, parameter in inspect.signature(target).parameters.items() if name not in ("self", "input", "device", "generator")]
    except (TypeError, ValueError):
        pass
    name = "_".join(parts[:-1] + [parts[-1]]) if parts[0] in ("linalg", "fft", "special") else parts[-1]
    found = {}
    for schema in torch._C._jit_get_schemas_for_operator(f"aten::{name}"):
        for argument in schema.arguments:
            if argument.name not in ("self", "input", "other", "generator", "device", "layout", "pin_memory", "names"):
                found[argument.name] = str(argument.type)
    return list(found.items())


def of_default(default):
    if isinstance(default, bool):
        return "bool"
    return {int: "int", float: "float", str: "str", tuple: "List[int]"}.get(type(default), "any")


VALUES = {
    "bool": ["True", "False"],
    "int": ["0", "1", "-1", "2", "3", "-2"],
    "number": ["0", "1", "2.5", "-1", "True"],
    "float": ["0.5", "1.0", "0.0", "2", "-1.0"],
    "str": ["'mean'", "'sum'", "'none'", "'bogus'"],
    "List[int]": ["(1,)", "(0, 1)", "(2, 2)", "1", "(-1,)", "()", "2"],
    "Tensor": ["torch.rand((2, 3))", "torch.rand((3,))", "torch.rand(())", "torch.ones((3,), dtype=torch.int64)"],
    "any": ["None", "1", "2", "0.5", "(1, 2)", "torch.rand((3,))", "True", "torch.float64"],
}


def argument_drawn(api):
    """Draws an argument of the API's signature as (name, text)."""
    parameters = signature(api)

    def draw_one(_node, draw):
        if not parameters:
            return None
        name, kind = draw.choice(parameters)
        if name == "dtype":
            return name, "torch." + draw.choice(KINDS)
        kind = kind.removeprefix("Optional[").removesuffix("]") if kind.startswith("Optional[") else kind
        return name, draw.choice(VALUES.get(kind, VALUES["any"]))

    return draw_one
