"""Functions that fold axes: sums, means, extremes, norms, running totals."""

import builtins

import _tensorvet
from _tensorvet import count, made, operate, require
from torch import _elements, _types, _values
from torch._creation import kind_named
from torch._pointwise import maximum, minimum
from torch._rules import accept, as_kind, axes, axis, computed, kind_of, known, letter, like
from torch._types import LETTER, floated, real_of, summed
from torch.return_types import pair
from torch.return_types import result as named_result

__aliases__ = {"x": "input", "a": "input", "axis": "dim", "keepdims": "keepdim"}

MISSING = object()


def _chosen(dim, keepdim):
    """The axes, and whether to keep them, which is asked only where they are named."""
    if dim is MISSING and keepdim is not MISSING:
        raise TypeError("`keepdim` is given without `dim`")
    return None if dim is MISSING else dim, keepdim is True


def kept(shape, places, keepdim):
    """The shape after folding some axes."""
    if keepdim:
        return [1 if place in places else size for place, size in enumerate(shape)]
    return [size for place, size in enumerate(shape) if place not in places]


def _places(input, dim):
    """The axes that are folded: all if none is named."""
    rank = input.ndim
    require("at most 64 axes can be folded", rank <= 64, "shape", input)
    if dim is None or (isinstance(dim, (tuple, list)) and len(dim) == 0):
        return list(range(rank))
    return axes(dim, rank)


def folded(input, kind, dim, keepdim):
    return _tensorvet.derived(made(kind, kept(input.shape, _places(input, dim), keepdim)), input)


def _has_elements(name, input, places):
    """States that extremes are taken of something."""
    shape = input.shape
    for place in places:
        if place < len(shape):
            require("`" + name + "` of an axis without elements is not defined", shape[place] != 0, "shape", input, raises=IndexError)


_OPERATORS = {"sum": "reduce_sum", "mean": "reduce_mean", "amax": "reduce_max", "amin": "reduce_min", "argmax": "arg_max", "argmin": "arg_min"}


def _computed(name, input, kind, dim, keepdim):
    """A sum or mean, by the operator where its definition covers the type."""
    places = _places(input, dim)
    if kind is not None and kind in ("i32", "i64", "f16", "bf16", "f32", "f64") and letter(input) != "c" and places and input.ndim > 0:
        return operate(_OPERATORS[name], as_kind(input, kind), axes=places, keepdims=keepdim, _as=name)
    return _tensorvet.derived(made(kind, kept(input.shape, places, keepdim)), input)


def sum(input: Tensor, dim: ints1 | None = MISSING, keepdim: bool = MISSING, *, dtype: dtype | None = None, out: Tensor | None = None):
    return _computed("sum", input, kind_named(dtype, summed(kind_of(input))), *_chosen(dim, keepdim))


def nansum(input: Tensor, dim: ints1 | None = None, keepdim: bool = False, *, dtype: dtype | None = None, out: Out | None = None):
    accept("nansum", "bihf", input)
    return folded(input, kind_named(dtype, summed(kind_of(input))), dim, keepdim)


def mean(input: Tensor, dim: ints1 | None = MISSING, keepdim: bool = MISSING, *, dtype: dtype | None = None, out: Out | None = None):
    kind = kind_named(dtype, kind_of(input))
    require("`mean` gives floating-point numbers: cast the integers first", kind is None or LETTER[kind] in "hfc", "type", input, raises=NotImplementedError)
    return _computed("mean", input, kind, *_chosen(dim, keepdim))


def nanmean(input: Tensor, dim: ints1 | None = None, keepdim: bool = False, *, dtype: dtype | None = None, out: Out | None = None):
    accept("nanmean", "hf", input)
    kind = kind_named(dtype, kind_of(input))
    require("`nanmean` gives floating-point numbers", kind is None or LETTER[kind] in "hf", "type", input)
    return folded(input, kind, dim, keepdim)


def prod(input: Tensor, dim: int = MISSING, keepdim: bool = MISSING, *, dtype: dtype | None = None, out: Tensor | None = None):
    dim, keepdim = _chosen(dim, keepdim)
    kind = kind_named(dtype, summed(kind_of(input)))
    result = folded(input, kind, dim, keepdim)
    return _values.folded("reduce_prod", "prod", as_kind(input, kind) if _tensorvet.follows_values() else input, _places(input, dim), keepdim, result)


def _logical(name):
    def function(input: Tensor, dim: ints1 | None = MISSING, keepdim: bool = MISSING, *, out: Tensor | None = None):
        dim, keepdim = _chosen(dim, keepdim)
        places = _places(input, dim)
        result = folded(input, "u8" if kind_of(input) == "u8" else "bool", dim, keepdim)
        if not _tensorvet.follows_values() or kind_of(input) == "u8" or not places or letter(input) not in "bhf" or 0 in input.shape:
            return result
        truth = input if kind_of(input) == "bool" else operate("not", operate("equal", input, _tensorvet.number(kind_of(input), 0.0), _as=name), _as=name)
        return operate("reduce_max" if name == "any" else "reduce_min", truth, axes=places, keepdims=keepdim, _as=name)

    return _tensorvet.named(name, function)


all, any = _logical("all"), _logical("any")


def count_nonzero(input: Tensor, dim: ints1 | None = None):
    result = folded(input, "i64", dim, False)
    places = _places(input, dim)
    if not _elements.is_followed(input) or not places:
        return result
    is_zero = operate("equal", input, _tensorvet.number(kind_of(input), 0.0), _as="count_nonzero")
    return operate("reduce_sum", operate("cast", operate("not", is_zero, _as="count_nonzero"), to="i64", _as="count_nonzero"), axes=list(places), keepdims=False, _as="count_nonzero")


def logsumexp(input: Tensor, dim: ints1, keepdim: bool = False, *, out: Out | None = None):
    result = folded(input, floated(kind_of(input)), dim, keepdim)
    return _values.folded("reduce_log_sum_exp", "logsumexp", input, _places(input, dim), keepdim, result)


def _extreme_values(name):
    def function(input: Tensor, dim: ints1 = (), keepdim: bool = False, *, out: Tensor | None = None):
        accept(name, "bihf", input)
        places = _places(input, dim)
        _has_elements(name, input, places)
        if input.ndim == 0:
            return like(input)
        return computed(_OPERATORS[name], made(kind_of(input), kept(input.shape, places, keepdim)), input, axes=places, keepdims=keepdim, _as=name)

    return _tensorvet.named(name, function)


amax, amin = _extreme_values("amax"), _extreme_values("amin")


def aminmax(input: Tensor, *, dim: int | None = None, keepdim: bool = False, out: Tensors | None = None):
    accept("aminmax", "bihf", input, raises=TypeError)
    places = _places(input, dim)
    _has_elements("aminmax", input, places)
    result = made(kind_of(input), kept(input.shape, places, keepdim))
    return named_result("aminmax", "min max", tuple([_values.folded("reduce_" + name, "aminmax", input, places, keepdim, result) for name in ("min", "max")]))


def _position(name, letters, operator):
    def function(input: Tensor, dim: int | None = None, keepdim: bool = False, *, out: Tensor | None = None):
        accept(name, letters, input)
        places = _places(input, dim)
        _has_elements(name, input, places)
        result = made("i64", kept(input.shape, places, keepdim))
        if dim is None or input.ndim == 0:
            return _tensorvet.between(result, 0, count(input.shape) - 1)
        found = computed(operator, result, input, axis=places[0], keepdims=keepdim, _as=name)
        return _tensorvet.between(found, 0, input.shape[places[0]] - 1)

    return _tensorvet.named(name, function)


argmax, argmin = _position("argmax", "ihf", "arg_max"), _position("argmin", "ihf", "arg_min")


def _extreme(name, meet):
    def function(input: Tensor, dim: Operand = MISSING, keepdim: bool = MISSING, *, other: Tensor | None = None, out: Tensor | Tensors | None = None):
        if _tensorvet.is_tensor(dim) and keepdim is MISSING:
            dim, other = MISSING, dim
        if other is not None:
            return meet(input, other)
        if _tensorvet.is_tensor(dim):
            # Whoever keeps axes names one.
            if dim.ndim > 0 or LETTER.get(kind_of(dim)) != "i":
                raise TypeError(name + "(): argument 'dim' must be int, not Tensor")
            dim = dim.item()
        dim, keepdim = _chosen(dim, keepdim)
        if dim is None:
            accept(name, "bihf", input)
            _has_elements(name, input, range(input.ndim))
            values = known(input) if letter(input) == "i" else None
            if values is not None:
                return _tensorvet.constant(kind_of(input), [], [(builtins.max if name == "max" else builtins.min)(values)])
            extreme = _tensorvet.one_of_those(made(kind_of(input), []), input)
            return _values.folded("reduce_" + name, name, input, range(input.ndim), False, extreme)
        return _at_extreme(name, input, dim, keepdim)

    return _tensorvet.named(name, function)


def _positions(sizes, input, places):
    """Where elements stand along an axis."""
    positions = made("i64", sizes)
    return _tensorvet.between(positions, 0, input.shape[places[0]] - 1) if input.ndim > 0 else positions


def _at_extreme(name, input, dim, keepdim, letters="bihf"):
    """The extreme elements of an axis, and where they stand."""
    if not isinstance(dim, int) or isinstance(dim, bool):
        raise TypeError(name + "(): argument 'dim' must be int, not " + type(dim).__name__)
    accept(name, letters, input, raises=TypeError)
    places = _places(input, dim)
    _has_elements(name, input, places)
    sizes = kept(input.shape, places, keepdim)
    extreme = _tensorvet.one_of_those(made(kind_of(input), sizes), input)
    if name in ("max", "min"):
        extreme = _values.folded("reduce_" + name, name, input, places, keepdim, extreme)
    return pair(name, extreme, _positions(sizes, input, places))


max, min = _extreme("max", maximum), _extreme("min", minimum)


def _middle(name, letters):
    def function(input: Tensor, dim: int = MISSING, keepdim: bool = MISSING, *, out: Tensors | None = None):
        accept(name, letters, input)
        dim, keepdim = _chosen(dim, keepdim)
        if dim is None:
            return _tensorvet.one_of_those(made(kind_of(input), []), input)
        return _at_extreme(name, input, dim, keepdim, letters)

    return _tensorvet.named(name, function)


median, nanmedian = _middle("median", "ihf"), _middle("nanmedian", "ihf")


def mode(input: Tensor, dim: int = -1, keepdim: bool = False, *, out: Tensors | None = None):
    return _at_extreme("mode", input, dim, keepdim)


def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False, *, out: Tensors | None = None):
    accept("kthvalue", "ihf", input, raises=RuntimeError)
    shape = input.shape
    place = axis(dim, len(shape))
    size = shape[place] if len(shape) > 0 else 1
    require("`k` counts within the axis", 1 <= k and k <= size, "value", input)
    return _at_extreme("kthvalue", input, dim, keepdim)


def _spread(name, pair):
    """Deviation or variance, which can be asked for in three ways."""

    def spread(input, dim, unbiased, keepdim, correction, has_out):
        given = [each is not MISSING for each in (unbiased, keepdim, correction)]
        if (isinstance(dim, bool) and (builtins.any(given) or has_out)) or (given[0] and (given[2] or (dim is MISSING and given[1]))):
            raise TypeError(name + "() is given arguments that do not go together")
        require("a correction is real", not isinstance(correction, complex), "value", input)
        accept(name, "hfc", input)
        places = _places(input, None if dim is MISSING or isinstance(dim, bool) else dim)
        sizes = kept(input.shape, places, keepdim is True)
        result = made(real_of(kind_of(input)), sizes)
        if not pair:
            biased = dim is False or unbiased is False
            result = _values.spread(name, input, places, keepdim is True, 0 if biased else 1 if correction is MISSING or correction is None else correction, result)
        else:
            biased = dim is False or unbiased is False
            result = _values.spread(name, input, places, keepdim is True, 0 if biased else 1 if correction is MISSING or correction is None else correction, result)
            mean = _values.folded("reduce_mean", name, input, places, keepdim is True, made(kind_of(input), sizes))
        return (result, mean) if pair else result

    if pair:

        def function(input: Tensor, dim: ints1 | bool | None = MISSING, unbiased: bool = MISSING, keepdim: bool = MISSING, *, correction: Number | None = MISSING):
            return spread(input, dim, unbiased, keepdim, correction, False)

    else:

        def function(input: Tensor, dim: ints1 | bool | None = MISSING, unbiased: bool = MISSING, keepdim: bool = MISSING, *, correction: Number | None = MISSING, out: Tensor | None = None):
            return spread(input, dim, unbiased, keepdim, correction, out is not None)

    return _tensorvet.named(name, function)


std, var = _spread("std", False), _spread("var", False)
std_mean, var_mean = _spread("std_mean", True), _spread("var_mean", True)


def _running(name, letters, result):
    def function(input: Tensor, dim: int, *, dtype: dtype | None = None, out: Out | None = None):
        accept(name, letters, input)
        place = axis(dim, input.ndim, input)
        kind = kind_named(dtype, result(kind_of(input)))
        if not _tensorvet.follows_values() or LETTER.get(kind) not in ("h", "f") or letter(input) == "c" or input.ndim == 0 or 0 in input.shape:
            return like(input, kind)
        return operate({"cumsum": "cum_sum", "cumprod": "cum_prod"}[name], as_kind(input, kind), axis=place, _as=name)

    return _tensorvet.named(name, function)


cumsum, cumprod = _running("cumsum", "bihfc", summed), _running("cumprod", "bihfc", summed)


def logcumsumexp(input: Tensor, dim: int, *, out: Tensor | None = None):
    axis(dim, input.ndim, input)
    accept("logcumsumexp", "hfc", input)
    return like(input)


def _running_extreme(name):
    def function(input: Tensor, dim: int, *, out: Tensors | None = None):
        accept(name, "bihf", input)
        axis(dim, input.ndim, input)
        return pair(name, _tensorvet.one_of_those(like(input), input), like(input, "i64"))

    return _tensorvet.named(name, function)


cummax, cummin = _running_extreme("cummax"), _running_extreme("cummin")


def softmax(input: Duck, dim: int, dtype: dtype | None = None, *, out: Tensor | None = None):
    return _normalised("softmax", input, dim, dtype)


def log_softmax(input: Duck, dim: int, dtype: dtype | None = None, *, out: Tensor | None = None):
    return _normalised("log_softmax", input, dim, dtype)


def _normalised(name, input, dim, dtype):
    kind = kind_named(dtype, kind_of(input))
    require("`" + name + "` takes floating-point numbers", kind is None or LETTER[kind] in "hf", "type", input, raises=NotImplementedError)
    place = axis(dim, input.ndim, input)
    if input.ndim == 0 or letter(input) == "c":
        return like(input, kind)
    result = operate(name, as_kind(input, kind), axis=place, _as=name)
    if name == "softmax":
        result._softmaxed = True
    return result


def norm(input: Duck, p: Number | str | None = 2, dim: ints1 | None = None, keepdim: bool = False, out: Tensor | None = None, dtype: dtype | None = None):
    require("the order of a norm is real", not isinstance(p, complex), "value", input)
    kind = kind_named(dtype, kind_of(input))
    require("`norm` takes floating-point or complex numbers", kind is None or LETTER[kind] in "hfc", "type", input, raises=NotImplementedError)
    if isinstance(p, str):
        require("the norm is 'fro', 'nuc' or a number", p in ("fro", "nuc"), "value", input)
        if p == "nuc":
            places = [0, 1] if dim is None else axes(dim, input.ndim)
            require("the nuclear norm is one of matrices", len(places) == 2 and input.ndim >= 2, "shape", input)
            return made(real_of(kind), kept(input.shape, places, keepdim))
    result = folded(input, real_of(kind), dim, keepdim)
    operator = {1: "reduce_l1", 2: "reduce_l2", "fro": "reduce_l2", None: "reduce_l2"}.get(p)
    return result if operator is None else _values.folded(operator, "norm", input, _places(input, dim), keepdim, result)


def dist(input: Tensor, other: Tensor, p: Number = 2):
    from torch._rules import common_kind

    kind = common_kind(input, other)
    _tensorvet.broadcast(kind, [input, other], "dist")
    require("`dist` takes floating-point or complex numbers", kind is None or LETTER[kind] in "hfc", "type", input, other)
    require("`dist` does not subtract bools", kind_of(input) != "bool" and kind_of(other) != "bool", "type", input, other, raises=NotImplementedError)
    return made(real_of(kind), [])


def renorm(input: Tensor, p: Number, dim: int, maxnorm: Number, *, out: Tensor | None = None):
    accept("renorm", "hfc", input)
    require("`renorm` takes at least two axes", input.ndim >= 2, "shape", input)
    require("the norm is positive and the bound is not negative", p > 0 and maxnorm >= 0, "value", input)
    axis(dim, input.ndim, input)
    return like(input)


def _quantile(name):
    def function(input: Tensor, q: Operand, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear", out: Tensor | None = None):
        accept(name, "f", input, raises=RuntimeError)
        require("`" + name + "` is taken of something", count(input.shape) > 0, "shape", input)
        require("the interpolation is one of five", interpolation in ("linear", "lower", "higher", "midpoint", "nearest"), "value", input)
        front = []
        if _tensorvet.is_tensor(q):
            require("`q` is a number or a vector", q.ndim <= 1, "shape", input, q)
            require("`q` has the element type of `input`", kind_of(q) == kind_of(input), "type", input, q)
            for value in _tensorvet.entries(q) or []:
                require("`q` lies between 0 and 1", 0 <= value and value <= 1, "value", q)
            front = list(q.shape)
        else:
            require("`q` lies between 0 and 1", 0 <= q and q <= 1, "value", input)
        places = _places(input, dim)
        return made(kind_of(input), front + kept(input.shape, places, keepdim))

    return _tensorvet.named(name, function)


quantile, nanquantile = _quantile("quantile"), _quantile("nanquantile")


def trace(input: Tensor):
    require("`trace` takes a matrix", input.ndim == 2, "shape", input)
    accept("trace", "ihfc", input)
    if _elements.is_followed(input):
        return operate("einsum", [input], equation="aa->", _as="trace")
    return made(summed(kind_of(input)), [])


def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0):
    accept("bincount", "i", input)
    require("`bincount` takes a vector", input.ndim == 1, "shape", input)
    require("the least length is not negative", minlength >= 0, "value", input)
    if weights is not None:
        require("there is a weight per number", weights.shape == input.shape, "shape", input, weights)
    values = _tensorvet.entries(input)
    kind = "i64" if weights is None else "f32" if kind_of(weights) == "f32" else "f64"
    if values is None:
        bounds = _tensorvet.bounds(input)
        if bounds is not None and _tensorvet.decided(bounds[1] < minlength) is True:
            return made(kind, [minlength])
        return made(kind, [_tensorvet.symbol("bins", minlength, 1 << 31, "the largest number counted")])
    for value in values:
        require("`bincount` counts numbers that are not negative", value >= 0, "value", input)
    return made(kind, [builtins.max([minlength] + [value + 1 for value in values])])


def histc(input: Tensor, bins: int = 100, min: Number = 0, max: Number = 0, *, out: Tensor | None = None):
    accept("histc", "hf", input)
    require("there is at least one bin", bins > 0, "value", input)
    require("the bins go upwards", min <= max, "value", input)
    return _tensorvet.leaf(made(kind_of(input), [bins]), False)


def diff(input: Tensor, n: int = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None, *, out: Out | None = None):
    shape = list(input.shape)
    require("`diff` takes a tensor with axes", len(shape) > 0, "shape", input)
    place = axis(dim, len(shape))
    require("the order of a difference is not negative", n >= 0, "value", input)
    kind = kind_of(input)
    for extra in (prepend, append):
        if extra is not None and n > 0:
            require("what is added has as many axes", extra.ndim == len(shape), "shape", input, extra)
            for number, size in enumerate(extra.shape):
                require("what is added has the sizes of `input` outside the axis", number == place or size == input.shape[number], "shape", input, extra)
            shape[place] = shape[place] + extra.shape[place]
            kind = _types.two_promoted(kind, kind_of(extra))
    shape[place] = builtins.max(shape[place] - n, 0) if n > 0 else shape[place]
    result = made(kind, shape)
    return _elements.steps("diff", input, place, result) if n == 1 and prepend is None and append is None else result


def _integral(name, cumulative):
    def function(y: Tensor, x: Tensor = MISSING, *, dx: Number = MISSING, dim: int = -1):
        if x is not MISSING and dx is not MISSING:
            raise TypeError(name + "() is given places or a distance, not both")
        shape = list(y.shape)
        require("a distance is a real number", not isinstance(dx, (bool, complex)), "value", y)
        require("`" + name + "` takes a tensor with axes", len(shape) > 0, "shape", y)
        accept(name, "ihfc", y)
        place = axis(dim, len(shape))
        kind = floated(kind_of(y))
        shape[place] = builtins.max(shape[place] - 1, 0)
        if x is not MISSING:
            accept(name, "ihfc", x)
            kind = floated(_types.two_promoted(kind_of(x), kind_of(y)))
            steps = list(x.shape)
            if x.ndim == 1:
                require("`x` has a place per sample", x.shape[0] == y.shape[place], "shape", x, y)
                steps = [builtins.max(x.shape[0] - 1, 0)] + [1] * (len(shape) - 1 - place)
            else:
                steps = [1] * (len(shape) - x.ndim) + steps
                steps[place] = builtins.max(steps[place] - 1, 0)
            joint = _tensorvet.broadcast(kind, [made(kind, steps), made(kind, shape)], name)
            shape = list(joint.shape)
            place = place + len(shape) - y.ndim
        return made(kind, shape if cumulative else shape[:place] + shape[place + 1 :])

    return _tensorvet.named(name, function)


trapezoid, cumulative_trapezoid = _integral("trapezoid", False), _integral("cumulative_trapezoid", True)
trapz = trapezoid
