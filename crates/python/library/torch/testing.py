"""Comparisons for tests: shapes and types are compared, numbers are not known."""

import _tensorvet
from _tensorvet import require
from torch import _creation
from torch._rules import kind_of


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True, check_dtype=True, check_layout=True, check_stride=False, msg=None):
    if (rtol is None) != (atol is None):
        raise ValueError("rtol and atol must both be specified or both be unspecified")
    if isinstance(actual, dict) and isinstance(expected, dict):
        require("both have the same keys", set(actual) == set(expected), "value", raises=AssertionError)
        actual, expected = [actual[key] for key in actual], [expected[key] for key in actual]
    if isinstance(actual, (list, tuple)) and isinstance(expected, (list, tuple)):
        require("both have the same length", len(actual) == len(expected), "value", raises=AssertionError)
        for one, other in zip(actual, expected):
            assert_close(one, other, rtol=rtol, atol=atol, check_dtype=check_dtype)
        return
    if not _tensorvet.is_tensor(actual) or not _tensorvet.is_tensor(expected):
        return
    require("the tensors to compare have one shape", actual.shape == expected.shape, "shape", actual, expected, raises=AssertionError)
    require("the tensors to compare have one type", not check_dtype or kind_of(actual) == kind_of(expected), "type", actual, expected, raises=AssertionError)


assert_allclose = assert_close


def make_tensor(*shape, dtype, device=None, low=None, high=None, requires_grad=False, **options):
    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    return _creation.empty(tuple(sizes), dtype=dtype, requires_grad=requires_grad)
