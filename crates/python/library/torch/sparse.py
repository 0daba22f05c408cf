"""Functions of sparse tensors: their shapes are those of dense ones."""

from torch import _products, _reductions
from torch.nn import functional as _functional


def mm(mat1, mat2, reduce=None):
    return _products.mm(mat1, mat2)


def addmm(mat, mat1, mat2, *, beta=1.0, alpha=1.0):
    return _products.addmm(mat, mat1, mat2)


def sampled_addmm(input, mat1, mat2, *, beta=1.0, alpha=1.0, out=None):
    return _products.addmm(input, mat1, mat2)


def sum(input, dim=None, dtype=None):
    return _reductions.sum(input) if dim is None else _reductions.sum(input, dim)


def softmax(input, dim, *, dtype=None):
    return _functional.softmax(input, dim)


def log_softmax(input, dim, *, dtype=None):
    return _functional.log_softmax(input, dim)


def _typed(kind):
    def make(indices, values, size=None):
        from torch._rules import as_kind
        from torch._sparse import sparse_coo_tensor

        return sparse_coo_tensor(indices, as_kind(values, kind), size)

    return make


FloatTensor, DoubleTensor, LongTensor = _typed("f32"), _typed("f64"), _typed("i64")
