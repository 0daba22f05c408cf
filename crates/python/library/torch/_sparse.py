"""Sparse tensors by their shapes: which elements are stored has no say in them."""

import builtins

import _tensorvet
from _tensorvet import made, require
from torch._rules import kind_of, known, like


def marked(tensor, stored, layout):
    """The tensor, of which so many elements are stored."""
    tensor.is_sparse, tensor._stored, tensor._layout = layout == "sparse_coo", stored, layout
    return tensor


def sparse_coo_tensor(indices, values=None, size=None, *, dtype: dtype | None = None, device: device | None = None, pin_memory: bool = False, requires_grad: bool = False, check_invariants: bool | None = None, is_coalesced: bool | None = None):
    from torch._creation import as_tensor, kind_named

    if size is None and values is None:
        size, indices = indices, made("i64", [len(indices), 0])
    indices = as_tensor(indices)
    values = made(kind_named(dtype), [indices.shape[1]]) if values is None else as_tensor(values)
    require("the indices of a sparse tensor are a matrix", indices.ndim == 2, "shape", indices)
    require("there is a value per index", values.ndim > 0 and indices.shape[1] == values.shape[0], "shape", indices, values)
    axes, rest = indices.shape[0], list(values.shape[1:])
    if size is not None:
        require("a sparse tensor has the axes of its indices and of its values", len(size) == axes + len(rest), "shape", indices, values)
        sizes = list(size)
    else:
        sizes = _reach(indices, axes) + rest
    kind = kind_of(values) if dtype is None else kind_named(dtype)
    return marked(made(kind, sizes), values.shape[0], "sparse_coo")


def _reach(indices, axes):
    """The sizes that hold all indices."""
    entries = known(indices)
    if entries is None or not _tensorvet.is_number(axes):
        return [_tensorvet.symbol("rows", 0, 2147483646, "the largest index of a sparse tensor") for _ in range(axes)]
    width = len(entries) // axes if axes > 0 else 0
    return [builtins.max([-1] + entries[row * width : (row + 1) * width]) + 1 for row in range(axes)]


def _compressed(name, rows_first, layout):
    def function(crow_indices, col_indices, values, size=None, *, dtype: dtype | None = None, device: device | None = None, pin_memory: bool = False, requires_grad: bool = False, check_invariants: bool | None = None):
        from torch._creation import as_tensor, kind_named

        outer, inner, values = as_tensor(crow_indices), as_tensor(col_indices), as_tensor(values)
        require("there is a value per index", inner.shape[-1] == values.shape[-1], "shape", inner, values)
        if size is None:
            other = _tensorvet.symbol("columns", 0, 2147483646, "the largest index of a sparse tensor")
            size = [outer.shape[-1] - 1, other] if rows_first else [other, outer.shape[-1] - 1]
        else:
            require("the compressed indices mark the ends of every row", outer.shape[-1] == size[-2 if rows_first else -1] + 1, "shape", outer)
        kind = kind_of(values) if dtype is None else kind_named(dtype)
        return marked(made(kind, list(size)), values.shape[-1], layout)

    return _tensorvet.named(name, function)


sparse_csr_tensor = _compressed("sparse_csr_tensor", True, "sparse_csr")
sparse_csc_tensor = _compressed("sparse_csc_tensor", False, "sparse_csc")


def stored_of(tensor):
    """How many elements are stored."""
    stored = getattr(tensor, "_stored", None)
    return _tensorvet.selected(tensor) if stored is None else stored


def to_sparse(input: Tensor, *arguments, **options):
    return marked(like(input), _tensorvet.selected(input), "sparse_coo")


def to_sparse_csr(input: Tensor, dense_dim=None):
    require("compressed rows are those of matrices", input.ndim >= 2, "shape", input)
    return marked(like(input), _tensorvet.selected(input), "sparse_csr")


def to_dense(input: Tensor, dtype: dtype | None = None, *, masked_grad=None):
    return like(input) if dtype is None else like(input, dtype._kind)


def coalesce(input: Tensor):
    stored = stored_of(input)
    most = stored if _tensorvet.is_number(stored) else 2147483646
    return marked(like(input), _tensorvet.symbol("stored", 0, most, "the number of different places of a sparse tensor"), "sparse_coo")


def is_coalesced(input: Tensor):
    return _tensorvet.unknown("whether each place is stored once", "bool")


def indices(input: Tensor):
    return made("i64", [input.ndim, stored_of(input)])


def values(input: Tensor):
    return made(kind_of(input), [stored_of(input)])


def crow_indices(input: Tensor):
    return made("i64", [*input.shape[:-2], input.shape[-2] + 1])


def col_indices(input: Tensor):
    return made("i64", [*input.shape[:-2], stored_of(input)])


def sparse_mask(input: Tensor, mask: Tensor):
    require("the mask has the shape of the tensor", input.shape == mask.shape, "shape", input, mask)
    return marked(like(input), stored_of(mask), "sparse_coo")
