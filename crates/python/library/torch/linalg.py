"""Linear algebra: shapes and types; that a matrix has an inverse is for the run to tell."""

import builtins

import _tensorvet
from _tensorvet import count, made, require
from torch import _products, _types, _values
from torch._creation import kind_named
from torch._diagonals import diagonal as _diagonal
from torch._pointwise import LETTER
from torch._reductions import folded, kept
from torch._rules import accept, axes, axis, kind_of, letter, like, one_kind
from torch._types import complex_of, real_of
from torch.return_types import result

__aliases__ = {"axis": "dim", "keepdims": "keepdim"}


# What finds a type that it does not take before it asks for a kernel.
_UNCHECKED = dict.fromkeys(("pinv", "eig", "eigvals", "cholesky_solve", "householder_product", "ormqr", "lstsq", "lu_unpack", "triangular_solve"), RuntimeError)


def _matrices(name, *tensors):
    """States that tensors are batches of matrices of floating-point or complex numbers."""
    for tensor in tensors:
        require("`" + name + "` takes matrices", tensor.ndim >= 2, "shape", tensor)
        accept(name, "fc", tensor, raises=_UNCHECKED.get(name, NotImplementedError))


# What some functions take when there is nothing to compute.
_OF_NOTHING = {"eigh": "bihfc", "eigvalsh": "bihfc", "cholesky": "hfc", "cholesky_ex": "hfc"}


def _computable(A, of_nothing):
    """The types that are computed with; what is empty is not computed."""
    return of_nothing if count(A.shape) == 0 else "fc"


def _square(name, A):
    require("`" + name + "` takes matrices", A.ndim >= 2, "shape", A)
    require("the matrices of `" + name + "` are square", A.shape[-2] == A.shape[-1], "shape", A)
    accept(name, _computable(A, _OF_NOTHING.get(name, "fc")), A, raises=_UNCHECKED.get(name, NotImplementedError))


def _batch(name, *shapes):
    return list(_tensorvet.broadcast("f32", [made("f32", list(shape)) for shape in shapes], name).shape)


def _of_square(name, result):
    def function(A: Tensor, *, out: Tensor | None = None):
        _square(name, A)
        return result(A)

    return _tensorvet.named(name, function)


def _determinant(A):
    return _values.computed("det", kind_of(A), [A], made(kind_of(A), list(A.shape[:-2])))


inv, det = _of_square("inv", like), _of_square("det", _determinant)
eigvals = _of_square("eigvals", lambda A: made(complex_of(kind_of(A)), list(A.shape[:-1])))


def matrix_exp(A: Tensor):
    require("`matrix_exp` takes matrices", A.ndim >= 2, "shape", A)
    require("the matrices of `matrix_exp` are square", A.shape[-2] == A.shape[-1], "shape", A)
    accept("matrix_exp", "hfc", A)
    return like(A)


def slogdet(A: Tensor, *, out: Tensors | None = None):
    _square("slogdet", A)
    signs, sizes = made(kind_of(A), list(A.shape[:-2])), made(real_of(kind_of(A)), list(A.shape[:-2]))
    return result("linalg_slogdet", "sign logabsdet", (_values.computed("sign of det", kind_of(A), [A], signs), _values.computed("log of abs of det", kind_of(A), [A], sizes)))


def eig(A: Tensor, *, out: Tensors | None = None):
    _square("eig", A)
    kind = complex_of(kind_of(A))
    return result("linalg_eig", "eigenvalues eigenvectors", (made(kind, list(A.shape[:-1])), like(A, kind)))


def _half(name, UPLO):
    require("`UPLO` is 'L' or 'U'", UPLO in ("L", "U", "l", "u"), "value")


def eigh(A: Tensor, UPLO: str = "L", *, out: Tensors | None = None):
    _square("eigh", A)
    _half("eigh", UPLO)
    return result("linalg_eigh", "eigenvalues eigenvectors", (made(real_of(kind_of(A)), list(A.shape[:-1])), like(A)))


def eigvalsh(A: Tensor, UPLO: str = "L", *, out: Tensor | None = None):
    _square("eigvalsh", A)
    _half("eigvalsh", UPLO)
    return made(real_of(kind_of(A)), list(A.shape[:-1]))


def cholesky(A: Tensor, *, upper: bool = False, out: Tensor | None = None):
    _square("cholesky", A)
    return like(A)


def cholesky_ex(A: Tensor, *, upper: bool = False, check_errors: bool = False, out: Tensors | None = None):
    _square("cholesky_ex", A)
    return result("linalg_cholesky_ex", "L info", (like(A), made("i32", list(A.shape[:-2]))))


def inv_ex(A: Tensor, *, check_errors: bool = False, out: Tensors | None = None):
    _square("inv_ex", A)
    return result("linalg_inv_ex", "inverse info", (like(A), made("i32", list(A.shape[:-2]))))


def _pivoted(pivot):
    require("LU factors without pivots are there on CUDA only", pivot, "value")


def lu_factor(A: Tensor, *, pivot: bool = True, out: Tensors | None = None):
    _pivoted(pivot)
    _matrices("lu_factor", A)
    return result("linalg_lu_factor", "LU pivots", (like(A), made("i32", [*A.shape[:-2], builtins.min(A.shape[-2], A.shape[-1])])))


def lu_factor_ex(A: Tensor, *, pivot: bool = True, check_errors: bool = False, out: Tensors | None = None):
    return result("linalg_lu_factor_ex", "LU pivots info", (*lu_factor(A, pivot=pivot), made("i32", list(A.shape[:-2]))))


def lu(A: Tensor, *, pivot: bool = True, out: Tensors | None = None):
    _pivoted(pivot)
    _matrices("lu", A)
    rows, columns = A.shape[-2], A.shape[-1]
    inner, batch, kind = builtins.min(rows, columns), list(A.shape[:-2]), kind_of(A)
    return result("linalg_lu", "P L U", (made(kind, [*batch, rows, rows]), made(kind, [*batch, rows, inner]), made(kind, [*batch, inner, columns])))


def ldl_factor(A: Tensor, *, hermitian: bool = False, out: Tensors | None = None):
    _square("ldl_factor", A)
    return result("linalg_ldl_factor", "LD pivots", (like(A), made("i32", list(A.shape[:-1]))))


def ldl_factor_ex(A: Tensor, *, hermitian: bool = False, check_errors: bool = False, out: Tensors | None = None):
    return result("linalg_ldl_factor_ex", "LD pivots info", (*ldl_factor(A), made("i32", list(A.shape[:-2]))))


def ldl_solve(LD: Tensor, pivots: Tensor, B: Tensor, *, hermitian: bool = False, out: Tensor | None = None):
    _square("ldl_solve", LD)
    require("`B` holds matrices", B.ndim >= 2, "shape", B)
    require("the rows of both matrices are equally many", LD.shape[-1] == B.shape[-2], "shape", LD, B)
    one_kind("ldl_solve", LD, B)
    accept("ldl_solve", "i", pivots, raises=RuntimeError)
    for pivot in _tensorvet.entries(pivots) or []:
        require("every pivot is the number of a row", pivot != 0, "value", pivots)
    require("there is a pivot per row", pivots.shape == LD.shape[:-1], "shape", pivots)
    return made(kind_of(B), [*_batch("ldl_solve", LD.shape[:-2], B.shape[:-2]), B.shape[-2], B.shape[-1]])


def qr(A: Tensor, mode: str = "reduced", *, out: Tensors | None = None):
    _matrices("qr", A)
    require("`mode` is 'reduced', 'complete' or 'r'", mode in ("reduced", "complete", "r"), "value")
    rows, columns, batch, kind = A.shape[-2], A.shape[-1], list(A.shape[:-2]), kind_of(A)
    inner = rows if mode == "complete" else builtins.min(rows, columns)
    return result("linalg_qr", "Q R", (made(kind, [0] if mode == "r" else [*batch, rows, inner]), made(kind, [*batch, inner, columns])))


def svd(A: Tensor, full_matrices: bool = True, *, driver: str | None = None, out: Tensors | None = None):
    _matrices("svd", A)
    rows, columns, batch, kind = A.shape[-2], A.shape[-1], list(A.shape[:-2]), kind_of(A)
    inner = builtins.min(rows, columns)
    require("a driver of the decomposition is there on CUDA only", driver is None, "value")
    left, right = made(kind, [*batch, rows, rows if full_matrices else inner]), made(kind, [*batch, columns if full_matrices else inner, columns])
    return result("linalg_svd", "U S Vh", (left, made(real_of(kind), [*batch, inner]), right))


def svdvals(A: Tensor, *, driver: str | None = None, out: Tensor | None = None):
    _matrices("svdvals", A)
    require("a driver of the decomposition is there on CUDA only", driver is None, "value")
    return made(real_of(kind_of(A)), [*A.shape[:-2], builtins.min(A.shape[-2], A.shape[-1])])


def _one_tolerance(name, old, *new):
    if old is not None and builtins.any([each is not None for each in new]):
        raise TypeError(name + "() is told its tolerance in one way")
    for each in (old, *new):
        if isinstance(each, complex):
            raise TypeError(name + "() takes a real tolerance")


def pinv(A: Tensor, rcond: Operand = None, hermitian: bool = False, *, atol: Operand | None = None, rtol: Operand | None = None, out: Tensor | None = None):
    _one_tolerance("pinv", rcond, atol, rtol)
    (_square if hermitian else _matrices)("pinv", A)
    for bound in (rcond, atol, rtol):
        if _tensorvet.is_tensor(bound):
            accept("pinv", "bihf", bound, raises=RuntimeError)
    bounds = [bound.shape for bound in (rcond, atol, rtol) if _tensorvet.is_tensor(bound)]
    batch = _batch("pinv", A.shape[:-2], *bounds) if count(A.shape) > 0 else A.shape[:-2]
    return made(kind_of(A), [*batch, A.shape[-1], A.shape[-2]])


def matrix_rank(A: Tensor, tol: Operand = None, hermitian: bool = False, *, atol: Operand | None = None, rtol: Operand | None = None, out: Out | None = None):
    _one_tolerance("matrix_rank", tol, atol, rtol)
    if A.ndim >= 2 and count(A.shape) == 0:
        # Nothing has rank 0, in any type for which the tolerance is known.
        require("a tolerance is known for floating-point and complex numbers", rtol is not None or tol is not None or letter(A) in "fc", "type", A)
        return made("i64", list(A.shape[:-2]))
    (_square if hermitian else _matrices)("matrix_rank", A)
    sizes = list(A.shape[:-2])
    for bound in (tol, atol, rtol):
        if _tensorvet.is_tensor(bound):
            accept("matrix_rank", "bihf", bound)
            sizes = _batch("matrix_rank", sizes, bound.shape)
    return made("i64", sizes)


def matrix_power(A: Tensor, n: int, *, out: Tensor | None = None):
    require("`matrix_power` takes matrices", A.ndim >= 2, "shape", A)
    require("the matrices of `matrix_power` are square", A.shape[-2] == A.shape[-1], "shape", A)
    accept("matrix_power", "fc" if n < 0 else "ihfc", A)
    return like(A)


def _right_hand(name, A, B):
    """Whether `B` is a batch of vectors, and the batch of the solution."""
    vectors = B.ndim == 1 or (A.ndim - 1 == B.ndim and B.shape == A.shape[:-1])
    rows = B.shape[-1] if vectors else B.shape[-2]
    require("the rows of both matrices are equally many", A.shape[-2] == rows, "shape", A, B)
    return vectors


def solve(A: Tensor, B: Tensor, *, left: bool = True, out: Tensor | None = None):
    _square("solve", A)
    one_kind("solve", A, B)
    require("`B` has axes", B.ndim > 0, "shape", B)
    vectors = B.ndim == 1 or (A.ndim - 1 == B.ndim and B.shape == A.shape[:-1])
    if vectors:
        require("vectors are solved from the left", left, "value", A, B)
        require("the rows of both are equally many", A.shape[-1] == B.shape[-1], "shape", A, B)
        return made(kind_of(B), [*_batch("solve", A.shape[:-2], B.shape[:-1]), B.shape[-1]])
    require("`B` holds vectors or matrices", B.ndim >= 2, "shape", A, B)
    require("the sizes of both matrices fit", A.shape[-1] == (B.shape[-2] if left else B.shape[-1]), "shape", A, B)
    return made(kind_of(B), [*_batch("solve", A.shape[:-2], B.shape[:-2]), B.shape[-2], B.shape[-1]])


def solve_ex(A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False, out: Tensors | None = None):
    return result("linalg_solve_ex", "result info", (solve(A, B, left=left), made("i32", list(A.shape[:-2]))))


def solve_triangular(A: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False, out: Tensor | None = None):
    # `B` is read in the type of `A`.
    _square("solve_triangular", A)
    require("`B` holds matrices", B.ndim >= 2, "shape", A, B)
    require("the sizes of both matrices fit", A.shape[-1] == (B.shape[-2] if left else B.shape[-1]), "shape", A, B)
    return made(kind_of(A), [*_batch("solve_triangular", A.shape[:-2], B.shape[:-2]), B.shape[-2], B.shape[-1]])


def lu_solve(LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: bool = False, out: Tensor | None = None):
    _square("lu_solve", LU)
    require("the pivots are int32", kind_of(pivots) == "i32", "type", pivots)
    one_kind("lu_solve", LU, B)
    require("`B` holds matrices", B.ndim >= 2, "shape", LU, B)
    require("there is a pivot per row", pivots.shape == LU.shape[:-1], "shape", LU, pivots)
    require("the sizes of both matrices fit", LU.shape[-1] == (B.shape[-2] if left else B.shape[-1]), "shape", LU, B)
    return made(kind_of(B), [*_batch("lu_solve", LU.shape[:-2], B.shape[:-2]), B.shape[-2], B.shape[-1]])


def lstsq(A: Tensor, B: Tensor, rcond: float | None = None, *, driver: str | None = None, out: Tensors | None = None):
    _matrices("lstsq", A)
    one_kind("lstsq", A, B)
    driver = driver if driver is None else driver.lower()
    require("`driver` is one of LAPACK's", driver in (None, "gels", "gelsy", "gelsd", "gelss"), "value")
    require("`B` has as many axes as `A`, or one less", B.ndim > 0 and A.ndim - 1 <= B.ndim and B.ndim <= A.ndim, "shape", A, B)
    rows, columns = A.shape[-2], A.shape[-1]
    vectors = A.ndim - 1 == B.ndim
    require("`B` holds a vector or matrix per matrix", vectors or B.ndim >= 2, "shape", A, B)
    require("the rows of both are equally many", rows == (B.shape[-1] if vectors else B.shape[-2]), "shape", A, B)
    batch = _batch("lstsq", A.shape[:-2], B.shape[: -1 if vectors else -2])
    tail = [] if vectors else [B.shape[-1]]
    kind = kind_of(A)
    residual = driver in (None, "gelsy", "gels", "gelsd", "gelss") and rows > columns
    solution = made(kind, [*batch, columns, *tail])
    residuals = made(real_of(kind), [*batch, *(tail if tail else [])] if residual and driver in ("gels", "gelsd", "gelss") else [0])
    rank = made("i64", batch if driver != "gels" else [0])
    values = made(real_of(kind), [*batch, builtins.min(rows, columns)] if driver in ("gelsd", "gelss") else [0])
    return result("linalg_lstsq", "solution residuals rank singular_values", (solution, residuals, rank, values))


def _normed(name, A, dtype):
    kind = kind_named(dtype, kind_of(A))
    require("a norm of complex numbers is computed in complex numbers", (LETTER.get(kind) == "c") == (letter(A) == "c"), "type", A)
    require("`" + name + "` takes floating-point or complex numbers", LETTER.get(kind, "f") in "hfc" and letter(A) in "hfc", "type", A, raises=NotImplementedError)
    return real_of(kind)


def vector_norm(x: Tensor, ord: Number = 2, dim: ints1 | None = None, keepdim: bool = False, *, dtype: dtype | None = None, out: Tensor | None = None):
    require("the order of a norm is real", not isinstance(ord, complex), "value", x)
    places = list(range(x.ndim)) if dim is None or dim == () else axes(dim, x.ndim)
    if ord < 0 or ord == 1e400:
        for place in places:
            require("a norm without an identity is taken of something", x.ndim == 0 or x.shape[place] > 0, "shape", x)
    result = folded(x, _normed("vector_norm", x, dtype), dim, keepdim)
    operator = {1: "reduce_l1", 2: "reduce_l2"}.get(ord)
    return result if operator is None or kind_of(result) != kind_of(x) else _values.folded(operator, "vector_norm", x, places, keepdim, result)


def _matrix_order(ord):
    require("the order of a norm is real", not isinstance(ord, complex), "value")
    if isinstance(ord, str):
        require("a norm of matrices is 'fro' or 'nuc'", ord in ("fro", "nuc"), "value", raises=ValueError)
    else:
        size = ord if ord >= 0 else -ord
        require("a norm of matrices is 1, 2 or infinite", size in (1, 2, 1e400), "value")


def matrix_norm(A: Tensor, ord: Number | str = "fro", dim: ints = (-2, -1), keepdim: bool = False, *, dtype: dtype | None = None, out: Tensor | None = None):
    kind = _normed("matrix_norm", A, dtype)
    require("`matrix_norm` takes matrices", A.ndim >= 2, "shape", A)
    require("two axes make a matrix", len(dim) == 2, "value", A)
    _matrix_order(ord)
    places = axes(dim, A.ndim)
    if ord in (2, -2, "nuc"):
        accept("matrix_norm", "fc", A)
    return made(kind, kept(A.shape, places, keepdim))


def norm(A: Tensor, ord: Number | str | None = None, dim: ints1 | None = None, keepdim: bool = False, *, dtype: dtype | None = None, out: Tensor | None = None):
    kind = _normed("norm", A, dtype)
    if dim is None:
        require("a norm with an order takes a vector or a matrix", ord is None or A.ndim in (1, 2), "shape", A)
        if ord is not None and A.ndim == 2:
            _matrix_order(ord)
        require("a norm of vectors is a number", not isinstance(ord, str) or A.ndim == 2, "value", A)
        result = folded(A, kind, None, keepdim)
        return _values.folded("reduce_l2", "norm", A, list(range(A.ndim)), keepdim, result) if ord is None and kind_of(result) == kind_of(A) else result
    places = axes(dim, A.ndim)
    if ord is not None:
        require("a norm with an order takes one or two axes", len(places) in (1, 2), "value", A)
        if len(places) == 2:
            _matrix_order(ord)
        require("a norm of vectors is a number", not isinstance(ord, str) or len(places) == 2, "value", A)
    result = made(kind, kept(A.shape, places, keepdim))
    operator = "reduce_l2" if ord is None or (ord == 2 and len(places) == 1) else "reduce_l1" if ord == 1 and len(places) == 1 else None
    return result if operator is None or kind != kind_of(A) else _values.folded(operator, "norm", A, places, keepdim, result)


def cond(A: Tensor, p: Number | str | None = None, *, out: Tensor | None = None):
    _matrices("cond", A)
    if p is not None:
        _matrix_order(p)
    if p not in (None, 2, -2):
        _square("cond", A)
    return made(real_of(kind_of(A)), list(A.shape[:-2]))


def cross(input: Tensor, other: Tensor, *, dim: int = -1, out: Tensor | None = None):
    return _products.cross(input, other, dim)


def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1):
    return _diagonal(A, offset, dim1, dim2)


def vecdot(x: Tensor, y: Tensor, *, dim: int = -1, out: Tensor | None = None):
    accept("vecdot", "hfc", x, y, raises=RuntimeError)
    one_kind("vecdot", x, y)
    joint = _tensorvet.broadcast(kind_of(x), [x, y], "vecdot")
    place = axis(dim, joint.ndim, joint)
    return made(kind_of(x), [*joint.shape[:place], *joint.shape[place + 1 :]])


def vander(x: Tensor, *, N: int | None = None):
    accept("vander", "ihfc", x)
    shape = list(x.shape) if x.ndim > 0 else [1]
    powers = shape[-1] if N is None else N
    require("the number of powers is more than 1", powers > 1, "value", x)
    return made(kind_of(x) if LETTER[kind_of(x)] != "i" else "i64", [*shape, powers])


def multi_dot(tensors: Tensors, *, out: Tensor | None = None):
    require("`multi_dot` is given at least two tensors", len(tensors) >= 2, "value")
    first, last = tensors[0], tensors[-1]
    require("the first and the last are vectors or matrices", first.ndim in (1, 2) and last.ndim in (1, 2), "shape", first, last)
    for tensor in tensors[1:-1]:
        require("those between are matrices", tensor.ndim == 2, "shape", tensor)
    width = first.shape[-1]
    for tensor in tensors[1:]:
        one_kind("multi_dot", first, tensor)
        require("the columns of one are as many as the rows of the next", width == tensor.shape[0], "shape", tensor)
        width = tensor.shape[-1]
    accept("multi_dot", "ihfc", first)
    return made(kind_of(first), ([first.shape[0]] if first.ndim == 2 else []) + ([last.shape[1]] if last.ndim == 2 else []))


def householder_product(A: Tensor, tau: Tensor, *, out: Tensor | None = None):
    _matrices("householder_product", A)
    one_kind("householder_product", A, tau, raises=IndexError)
    require("matrices have no more columns than rows", A.shape[-2] >= A.shape[-1], "shape", A)
    require("there are no more factors than columns", tau.ndim == A.ndim - 1 and tau.shape[-1] <= A.shape[-1], "shape", A, tau)
    require("both batches are equally long", tau.shape[:-1] == A.shape[:-2], "shape", A, tau)
    return like(A)


def tensorinv(A: Tensor, ind: int = 2, *, out: Tensor | None = None):
    require("`ind` is positive", ind > 0, "value", A)
    accept("tensorinv", "fc", A, raises=RuntimeError)
    require("the first axes hold as much as the others", count(A.shape[:ind]) == count(A.shape[ind:]), "shape", A)
    return made(kind_of(A), [*A.shape[ind:], *A.shape[:ind]])


def tensorsolve(A: Tensor, B: Tensor, dims: ints | None = None, *, out: Tensor | None = None):
    accept("tensorsolve", "fc", A)
    one_kind("tensorsolve", A, B)
    shape = list(A.shape)
    if dims is not None:
        places = axes(dims, len(shape))
        shape = [size for place, size in enumerate(shape) if place not in places] + [shape[place] for place in places]
    result = shape[B.ndim :]
    require("the axes of `A` hold a square system", count(shape[: B.ndim]) == count(result), "shape", A, B)
    require("`B` has as many elements as the system has rows", count(B.shape) == count(result), "shape", A, B)
    return made(kind_of(A), result)
