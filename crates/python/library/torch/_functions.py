"""The functions of `torch`, by families."""

from torch import _rules, _types
from torch._rules import accept
from torch._creation import *
from torch._pointwise import *
from torch._views import *
from torch._indexing import *
from torch._reductions import *
from torch._joining import *
from torch._products import *
from torch._ordering import *
from torch._diagonals import *
from torch._random import *
from torch._transforms import *
from torch._factorisations import *
from torch._windows import *

_HELPERS = set(dir(_rules)) | set(dir(_types)) | {"operate", "require", "builtins", "linalg", "sizes_of", "kind_named", "kept", "folded", "filled", "cast", "sliced", "index", "set_index"}
_HELPERS |= {"MANY", "made", "once", "leaf", "is_permuted", "listed", "MISSING", "complex_of", "strides_of", "is_contiguous", "view", "view_kind", "expand", "repeat", "pair", "named_result", "result", "accepted", "unfold", "swapped"}
__all__ = [name for name in globals() if not name.startswith("_") and name not in _HELPERS]
PUBLIC = set(__all__)
