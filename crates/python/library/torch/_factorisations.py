"""Linear algebra under the names that stand in `torch` itself."""

import builtins

import _tensorvet
from _tensorvet import made, require
from torch import _values, linalg
from torch._rules import kind_of, like, one_kind
from torch._types import real_of
from torch.return_types import result

matrix_exp = linalg.matrix_exp


def det(input: Tensor):
    return linalg.det(input)


def slogdet(input: Tensor, *, out: Tensors | None = None):
    return result("slogdet", "sign logabsdet", tuple(linalg.slogdet(input)))


def logdet(input: Tensor):
    linalg._square("logdet", input)
    return _values.computed("logdet", kind_of(input), [input], made(kind_of(input), list(input.shape[:-2])))


def inverse(input: Tensor, *, out: Tensor | None = None):
    return linalg.inv(input)


def matrix_power(input: Tensor, n: int, *, out: Tensor | None = None):
    return linalg.matrix_power(input, n)


def pinverse(input: Tensor, rcond: float = 1e-15):
    return linalg.pinv(input)


def cholesky(input: Tensor, upper: bool = False, *, out: Tensor | None = None):
    return linalg.cholesky(input)


def cholesky_inverse(input: Tensor, upper: bool = False, *, out: Tensor | None = None):
    linalg._square("cholesky_inverse", input)
    return like(input)


def cholesky_solve(input: Tensor, input2: Tensor, upper: bool = False, *, out: Tensor | None = None):
    require("`cholesky_solve` takes matrices", input.ndim >= 2 and input2.ndim >= 2, "shape", input, input2)
    linalg._square("cholesky_solve", input2)
    one_kind("cholesky_solve", input, input2)
    require("the rows of both matrices are equally many", input.shape[-2] == input2.shape[-2], "shape", input, input2)
    batch = linalg._batch("cholesky_solve", input.shape[:-2], input2.shape[:-2])
    return made(kind_of(input), [*batch, input.shape[-2], input.shape[-1]])


def qr(input: Tensor, some: bool = True, *, out: Tensors | None = None):
    return linalg.qr(input, "reduced" if some else "complete")


def svd(input: Tensor, some: bool = True, compute_uv: bool = True, *, out: Tensors | None = None):
    linalg._matrices("svd", input)
    rows, columns, batch, kind = input.shape[-2], input.shape[-1], list(input.shape[:-2]), kind_of(input)
    inner = builtins.min(rows, columns)
    some = some and compute_uv
    left, right = made(kind, [*batch, rows, inner if some else rows]), made(kind, [*batch, columns, inner if some else columns])
    return result("svd", "U S V", (left, made(real_of(kind), [*batch, inner]), right))


def geqrf(input: Tensor, *, out: Tensors | None = None):
    linalg._matrices("geqrf", input)
    return result("geqrf", "a tau", (like(input), made(kind_of(input), [*input.shape[:-2], builtins.min(input.shape[-2], input.shape[-1])])))


def ormqr(input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False, *, out: Tensor | None = None):
    linalg._matrices("ormqr", input, other)
    one_kind("ormqr", input, tau, other)
    require("all three have equally many axes", input.ndim == other.ndim and tau.ndim == input.ndim - 1, "shape", input, tau, other)
    require("the batches are equally long", input.shape[:-2] == other.shape[:-2] and tau.shape[:-1] == input.shape[:-2], "shape", input, tau, other)
    side = other.shape[-2] if left else other.shape[-1]
    require("the factors fit the matrix", side == input.shape[-2] and side >= tau.shape[-1], "shape", input, tau, other)
    require("there are no more factors than columns", tau.shape[-1] <= input.shape[-1], "shape", input, tau)
    return like(other)


def triangular_solve(b: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False, *, out: Tensors | None = None):
    require("`triangular_solve` takes matrices", A.ndim >= 2 and b.ndim >= 2, "shape", A, b)
    linalg._square("triangular_solve", A)
    one_kind("triangular_solve", A, b)
    require("the rows of both matrices are equally many", A.shape[-1] == b.shape[-2], "shape", A, b)
    batch = linalg._batch("triangular_solve", A.shape[:-2], b.shape[:-2])
    solution, copy = made(kind_of(b), [*batch, b.shape[-2], b.shape[-1]]), made(kind_of(A), [*batch, A.shape[-1], A.shape[-1]])
    return result("triangular_solve", "solution cloned_coefficient", (solution, copy))


def lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | None = None):
    return linalg.lu_solve(LU_data, LU_pivots, b)


def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True, *, out: Tensors | None = None):
    linalg._matrices("lu_unpack", LU_data)
    rows, columns, batch, kind = LU_data.shape[-2], LU_data.shape[-1], list(LU_data.shape[:-2]), kind_of(LU_data)
    inner = builtins.min(rows, columns)
    if unpack_pivots:
        require("the pivots are int32", kind_of(LU_pivots) == "i32", "type", LU_pivots)
        require("there is a pivot per row", LU_pivots.shape == tuple([*batch, inner]), "shape", LU_data, LU_pivots, raises=ValueError)
        for pivot in _tensorvet.entries(LU_pivots) or []:
            require("every pivot is the number of a row", 1 <= pivot and pivot <= rows, "value", LU_pivots)
    empty = made(kind, [0])
    left, right = (made(kind, [*batch, rows, inner]), made(kind, [*batch, inner, columns])) if unpack_data else (empty, empty)
    return result("lu_unpack", "P L U", (made(kind, [*batch, rows, rows]) if unpack_pivots else empty, left, right))


def lu(A: Tensor, pivot: bool = True, get_infos: truth = False, out=None):
    linalg._pivoted(pivot)
    linalg._matrices("lu", A)
    pivots = made("i32", [*A.shape[:-2], builtins.min(A.shape[-2], A.shape[-1])])
    return (like(A), pivots, made("i32", list(A.shape[:-2]))) if get_infos else (like(A), pivots)


def _low_rank(A, q, name):
    linalg._matrices(name, A)
    rows, columns = A.shape[-2], A.shape[-1]
    require("`q` is not negative and not more than the matrix has", 0 <= q and q <= builtins.min(rows, columns), "value", A)
    batch, kind = list(A.shape[:-2]), kind_of(A)
    return made(kind, [*batch, rows, q]), made(real_of(kind), [*batch, q]), made(kind, [*batch, columns, q])


def svd_lowrank(A: Tensor, q=6, niter=2, M=None):
    return _low_rank(A, 6 if q is None else q, "svd_lowrank")


def pca_lowrank(A: Tensor, q=None, center=True, niter=2):
    linalg._matrices("pca_lowrank", A)
    return _low_rank(A, builtins.min(6, A.shape[-2], A.shape[-1]) if q is None else q, "pca_lowrank")
