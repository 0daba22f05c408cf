"""Linear algebra of arrays: that of tensors."""

import _tensorvet
from _tensorvet import made
from torch import linalg as _torch
from torch._rules import as_kind, kind_of


def _apply(name):
    def function(*arrays, **options):
        from numpy import _array, _kinds, _tensor_of

        tensors = [_tensor_of(each) for each in arrays]
        results = getattr(_torch, name)(*[as_kind(each, _kinds.floated(kind_of(each))) for each in tensors])
        return tuple([_array(each) for each in results]) if isinstance(results, tuple) else _array(results)

    _tensorvet.define(name, function)


for _name in "inv pinv det slogdet eigh eigvalsh cholesky qr solve matrix_rank".split():
    _apply(_name)


def norm(x, ord=None, axis=None, keepdims=False):
    from numpy import _array, _kinds, _tensor_of
    from numpy._functions import _reduced

    tensor = _tensor_of(x)
    return _array(_reduced(tensor, axis, keepdims, _kinds.floated(kind_of(tensor))))


def svd(a, full_matrices=True, compute_uv=True, **options):
    from numpy import _array, _kinds, _tensor_of

    tensor = _tensor_of(a)
    tensor = as_kind(tensor, _kinds.floated(kind_of(tensor)))
    parts = _torch.svd(tensor, full_matrices)
    return tuple([_array(part) for part in parts]) if compute_uv else _array(parts[1])


class LinAlgError(ValueError):
    pass
