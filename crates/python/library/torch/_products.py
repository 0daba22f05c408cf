"""Products of vectors, matrices and batches of them."""

import builtins

import _tensorvet
from _tensorvet import count, made, operate, require
from torch._rules import accept, axes, axis, common_kind, elementwise, kind_of, letter, one_kind, real_factors, scales
from torch import _elements, _sums
from torch._types import floated, promoted, summed
from torch._views import is_permuted

__aliases__ = {"axis": "dim"}
_MULTIPLIED = "ihfc"


def _alike(name, *tensors):
    one_kind(name, *tensors)
    accept(name, _MULTIPLIED, tensors[0])


def _product(name, a, b):
    """The product by the operator; complex and small types have no formula."""
    if kind_of(a) in ("i32", "i64", "f16", "bf16", "f32", "f64"):
        return operate("matmul", a, b, _as=name)
    if not (_tensorvet.is_number(a.ndim) and _tensorvet.is_number(b.ndim)):
        require("the columns of the first are as many as the rows of the second", _tensorvet.unknown("a product of a tensor of unknown rank"), "shape", a, b)
        return _tensorvet.unknown_tensor(kind_of(a))
    return made(kind_of(a), _product_shape(name, a, b))


def _product_shape(name, a, b):
    left, right = list(a.shape), list(b.shape)
    require("`" + name + "` takes tensors with axes", len(left) > 0 and len(right) > 0, "shape", a, b)
    rows = [left.pop(0)] if len(left) == 1 else None
    first = [1, rows[0]] if rows else left
    second = [right[0], 1] if len(right) == 1 else right
    require("the columns of the first are as many as the rows of the second", first[-1] == second[-2], "shape", a, b)
    batch = _tensorvet.broadcast("f32", [made("f32", first[:-2]), made("f32", second[:-2])], name).shape
    return [*batch, *([] if rows else [first[-2]]), *([] if len(right) == 1 else [second[-1]])]


def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None):
    require("`matmul` takes tensors with axes", input.ndim > 0 and other.ndim > 0, "shape", input, other)
    _alike("matmul", input, other)
    return _product("matmul", input, other)


def mm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None):
    require("`mm` takes matrices", input.ndim == 2 and mat2.ndim == 2, "shape", input, mat2)
    _alike("mm", input, mat2)
    return _product("mm", input, mat2)


def bmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None):
    require("`bmm` takes batches of matrices", input.ndim == 3 and mat2.ndim == 3, "shape", input, mat2)
    require("both batches are equally long", input.shape[0] == mat2.shape[0], "shape", input, mat2)
    _alike("bmm", input, mat2)
    return _product("bmm", input, mat2)


def mv(input: Tensor, vec: Tensor, *, out: Tensor | None = None):
    require("`mv` takes a matrix and a vector", input.ndim == 2 and vec.ndim == 1, "shape", input, vec)
    _alike("mv", input, vec)
    return _product("mv", input, vec)


def _dot(name):
    def function(input: Tensor, other: Tensor, *, out: Tensor | None = None):
        require("`" + name + "` takes vectors", input.ndim == 1 and other.ndim == 1, "shape", input, other)
        require("the vectors are equally long", input.shape[0] == other.shape[0], "shape", input, other)
        _alike(name, input, other)
        if not _tensorvet.follows_values() or letter(input) not in "hf" or input.shape[0] == 0:
            return made(kind_of(input), [])
        # As a sum it shows that the product of a vector and itself is not negative.
        return operate("reduce_sum", operate("mul", input, other, _as=name), axes=[0], keepdims=False, _as=name)

    return _tensorvet.named(name, function)


vdot = _dot("vdot")


def dot(input: Tensor, tensor: Tensor, *, out: Tensor | None = None):
    return vdot(input, tensor)


def inner(input: Tensor, other: Tensor, *, out: Out | None = None):
    if input.ndim == 0 or other.ndim == 0:
        kind = common_kind(input, other)
        return elementwise("inner", None, kind, [input, other])
    _alike("inner", input, other)
    require("the last axes are equally long", input.shape[-1] == other.shape[-1], "shape", input, other)
    if _tensorvet.follows_values() and letter(input) in "hf" and other.ndim <= 2:
        return _product("inner", input, operate("transpose", other, _as="inner") if other.ndim == 2 else other)
    return made(kind_of(input), [*input.shape[:-1], *other.shape[:-1]])


def outer(input: Tensor, vec2: Tensor, *, out: Out | None = None):
    require("`outer` takes vectors", input.ndim == 1 and vec2.ndim == 1, "shape", input, vec2)
    if _tensorvet.follows_values() and letter(input) in "hf" and kind_of(input) == kind_of(vec2):
        return operate("mul", operate("reshape", input, shape=[input.shape[0], 1], _as="outer"), vec2, _as="outer")
    return made(common_kind(input, vec2), [input.shape[0], vec2.shape[0]])


ger = outer


def kron(input: Tensor, other: Tensor, *, out: Out | None = None):
    one = count(input.shape) == 1 or count(other.shape) == 1
    require("both tensors of `kron` lie in memory in one order of axes: use .contiguous()", one or is_permuted(input) == is_permuted(other), "layout", input, other)
    rank = builtins.max(input.ndim, other.ndim)
    first = [1] * (rank - input.ndim) + list(input.shape)
    second = [1] * (rank - other.ndim) + list(other.shape)
    return made(common_kind(input, other), [a * b for a, b in zip(first, second)])


def _added(name, input, product, beta, alpha):
    """`beta * input + alpha * product`: the input is broadcast to the product."""
    one_kind(name, input, product)
    real_factors(name, kind_of(input), beta, alpha)
    joint = _tensorvet.broadcast(kind_of(product), [input, product], name)
    require("`input` broadcasts to the product", joint.shape == product.shape, "shape", input, product)
    return _sums.combined(name, input, product, beta, alpha, product)


spmm = mm


def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None):
    return _added("addmm", input, mm(mat1, mat2), beta, alpha)


def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None):
    return _added("addmv", input, mv(mat, vec), beta, alpha)


def addr(input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Out | None = None):
    product = outer(vec1, vec2)
    kind = common_kind(input, product)
    scales("addr", kind, beta, alpha)
    joint = _tensorvet.broadcast(kind, [input, product], "addr")
    require("`input` broadcasts to the product", joint.shape == product.shape, "shape", input, product)
    return _sums.combined("addr", input, product, beta, alpha, joint)


def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None):
    return _added("baddbmm", input, bmm(batch1, batch2), beta, alpha)


def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None):
    product = bmm(batch1, batch2)
    if _tensorvet.follows_values() and letter(product) in "hf" and 0 not in product.shape:
        total = operate("reduce_sum", product, axes=[0], keepdims=False, _as="addbmm")
    else:
        total = made(kind_of(product), list(product.shape[1:]))
    return _added("addbmm", input, total, beta, alpha)


def chain_matmul(*matrices: object, out: Out | None = None):
    require("`chain_matmul` is given matrices", len(matrices) > 0, "value")
    result = matrices[0]
    require("`chain_matmul` takes matrices", result.ndim == 2, "shape", result)
    for matrix in matrices[1:]:
        result = mm(result, matrix)
    return result


def cross(input: Tensor, other: Tensor, dim: int | None = None, *, out: Tensor | None = None):
    require("`cross` takes tensors with equally many axes", input.ndim == other.ndim, "shape", input, other)
    accept("cross", "ihfc", input)
    one_kind("cross", input, other)
    joint = _tensorvet.broadcast(kind_of(input), [input, other], "cross")
    if dim is None:
        found = [place for place, size in enumerate(input.shape) if size == 3]
        require("an axis of `cross` has size 3", len(found) > 0, "shape", input)
        return joint
    place = axis(dim, input.ndim, input)
    require("the axis of `cross` has size 3", input.ndim > 0 and input.shape[place] == 3 and other.shape[place] == 3, "shape", input, other)
    return joint


def tensordot(a: Tensor, b: Tensor, dims=2, *, out: Tensor | None = None):
    if _tensorvet.is_tensor(dims):
        values = _tensorvet.entries(dims)
        require("one number says how many axes are summed", count(dims.shape) > 0, "shape", dims)
        if values is None:
            return _tensorvet.unknown("the axes of a product given as a tensor")
        dims = values[0] if dims.ndim < 2 else [values[: dims.shape[1]], values[dims.shape[1] :]]
    if isinstance(dims, int):
        require("the number of axes is not negative", dims >= 0, "value", a, b)
        require("both tensors have the axes that are summed", dims <= a.ndim and dims <= b.ndim, "shape", a, b)
        first, second = list(range(a.ndim - dims, a.ndim)), list(range(dims))
    else:
        require("two lists of axes are given", len(dims) == 2, "value", a, b, raises=RuntimeError)
        for each in dims:
            if isinstance(each, int):
                raise TypeError("tensordot() takes two lists of axes")
        first, second = [list(each) for each in dims]
    require("as many axes of the one are summed as of the other", len(first) == len(second), "value", a, b)
    first, second = axes(first, a.ndim), axes(second, b.ndim)
    for ours, theirs in zip(first, second):
        require("axes that are summed together are equally long", a.shape[ours] == b.shape[theirs] or a.shape[ours] == 1 or b.shape[theirs] == 1, "shape", a, b)
    one_kind("tensordot", a, b)
    accept("tensordot", _MULTIPLIED, a)
    sizes = [size for place, size in enumerate(a.shape) if place not in first] + [size for place, size in enumerate(b.shape) if place not in second]
    if _elements.are_followed((a, b)) and a.ndim + b.ndim <= 26 and 0 not in sizes:
        left = [chr(97 + place) for place in range(a.ndim)]
        right = [left[first[second.index(place)]] if place in second else chr(97 + a.ndim + place) for place in range(b.ndim)]
        rest = [letter for place, letter in enumerate(left) if place not in first] + [letter for place, letter in enumerate(right) if place not in second]
        return operate("einsum", [a, b], equation="".join(left) + "," + "".join(right) + "->" + "".join(rest), _as="tensordot")
    return made(kind_of(a), sizes)


def einsum(*arguments: object):
    if arguments and _tensorvet.is_unknown(arguments[0]):
        return _tensorvet.unknown("`einsum` with an equation that is not known")
    if not arguments or not isinstance(arguments[0], str):
        if arguments and _tensorvet.is_tensor(arguments[0]) and not builtins.any([isinstance(each, str) for each in arguments]):
            return _tensorvet.unknown("`einsum` with lists of axes is not modelled")
        raise TypeError("einsum(): argument 'equation' must be str")
    equation, operands = arguments[0], arguments[1:]
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    for operand in operands:
        if not _tensorvet.is_tensor(operand):
            raise TypeError("einsum() takes tensors")
    return _summed(equation.replace(" ", ""), list(operands))


def _summed(equation, operands):
    """Einstein's notation: sizes by their letters."""
    left, arrow, right = equation.partition("->")
    terms = left.split(",")
    require("there is a term per operand", len(terms) == len(operands), "value", *operands)
    sizes, wide, seen = {}, [], []
    for term, operand in zip(terms, operands):
        before, dots, after = term.partition("...")
        named = list(before) + list(after)
        for letter in named:
            require("axes are named by letters", letter.isalpha(), "value", operand)
        rank = operand.ndim
        require("a term names every axis", len(named) == rank or (dots != "" and len(named) <= rank), "shape", operand)
        shape = list(operand.shape)
        spread = shape[len(before) : rank - len(after)]
        for letter, size in zip(named, shape[: len(before)] + shape[rank - len(after) :]):
            old = sizes.get(letter, 1)
            require("axes of one letter are equally long", size == old or size == 1 or old == 1, "shape", *operands)
            sizes[letter] = size if old == 1 else old
            seen.append(letter)
        if dots:
            wide.append(made("f32", spread))
    dots = list(_tensorvet.broadcast("f32", wide, "einsum").shape) if wide else []
    if arrow:
        before, marked, after = right.partition("...")
        for letter in before + after:
            require("the result names axes of the operands", letter in sizes, "value", *operands)
            require("the result names an axis once", (before + after).count(letter) == 1, "value", *operands)
        result = [sizes[letter] for letter in before] + (dots if marked else []) + [sizes[letter] for letter in after]
    else:
        result = dots + [sizes[letter] for letter in sorted(sizes) if seen.count(letter) == 1]
    named = (before + after) if arrow else [letter for letter in sizes if seen.count(letter) == 1]
    folded = [letter for letter in sizes if letter not in named]
    if [letter for letter in folded if len([term for term in terms if letter in term]) > 1]:
        # Summed over both operands: a product of matrices.
        one_kind("einsum", *operands)
        accept("einsum", _MULTIPLIED, operands[0])
        if _tensorvet.follows_values() and kind_of(operands[0]) in ("f16", "bf16", "f32", "f64") and 0 not in result:
            return operate("einsum", operands, equation=equation, _as="einsum")
        return made(kind_of(operands[0]), result)
    kind = promoted(*[kind_of(operand) for operand in operands])
    if _elements.are_followed(operands) and 0 not in result and builtins.all([kind_of(operand) == kind for operand in operands]):
        return operate("einsum", operands, equation=equation, _as="einsum")
    return made(summed(kind) if folded else kind, result)


def cov(input: Tensor, *, correction: int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None):
    accept("cov", "ihfc", input)
    require("`cov` takes a vector or a matrix", input.ndim <= 2, "shape", input)
    samples = input.shape[-1] if input.ndim > 0 else 1
    for weights, letters in ((fweights, "i"), (aweights, "hf")):
        if weights is not None:
            require("weights of `cov` are a vector", weights.ndim <= 1, "shape", weights)
            accept("cov", letters, weights)
            require("there is a weight per sample", count(weights.shape) == samples, "shape", input, weights)
            for value in _tensorvet.entries(weights) or []:
                require("no weight is negative", value >= 0, "value", weights)
    return made(floated(kind_of(input)), [input.shape[0], input.shape[0]] if input.ndim == 2 and input.shape[0] != 1 else [])


def corrcoef(input: Tensor):
    return cov(input)


def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    require("`compute_mode` is known", compute_mode in ("use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist"), "value", raises=ValueError)
    require("`cdist` takes batches of vectors", x1.ndim >= 2 and x2.ndim >= 2, "shape", x1, x2)
    require("both lists hold vectors of one length", x1.shape[-1] == x2.shape[-1], "shape", x1, x2)
    require("`p` is not negative", p >= 0, "value")
    one_kind("cdist", x1, x2)
    accept("cdist", "f", x1)
    batch = _tensorvet.broadcast("f32", [made("f32", list(x1.shape[:-2])), made("f32", list(x2.shape[:-2]))], "cdist").shape
    result = made(kind_of(x1), [*batch, x1.shape[-2], x2.shape[-2]])
    return _elements.distances("cdist", x1, x2, result) if p == 2 else result


def pdist(input: Tensor, p: float = 2.0):
    require("`pdist` takes a matrix", input.ndim == 2, "shape", input)
    accept("pdist", "f", input, raises=RuntimeError)
    require("`p` is not negative", p >= 0, "value")
    number = input.shape[0]
    return made(kind_of(input), [number * (number - 1) // 2])
