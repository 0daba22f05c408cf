"""The functions of `torch`, by families."""

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
