"""Tensors: what their methods give. Most call the functions of the same name."""

import _tensorvet
from torch import _types
from torch import _functions as f


class Size(tuple):
    def numel(self):
        total = 1
        for size in self:
            total = total * size
        return total


class Tensor:
    requires_grad = False
    grad = None
    is_cuda = False
    is_sparse = False

    @property
    def shape(self):
        return Size(_tensorvet.shape(self))

    def size(self, dim=None):
        shape = self.shape
        return shape if dim is None else shape[dim]

    @property
    def dtype(self):
        return _types.by_kind(_tensorvet.kind(self))

    @property
    def ndim(self):
        return _tensorvet.rank(self)

    def dim(self):
        return _tensorvet.rank(self)

    @property
    def device(self):
        return _types.device("cpu")

    @property
    def T(self):
        return self.permute(*reversed(range(self.ndim)))

    @property
    def mT(self):
        return self.transpose(-2, -1)

    @property
    def data(self):
        return self

    def numel(self):
        return self.shape.numel()

    nelement = numel

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        return iter([self[k] for k in range(self.shape[0])])

    def __bool__(self):
        return _tensorvet.unknown("the value of a tensor", "bool")

    def item(self):
        _tensorvet.require("a tensor of one element can be made a number", self.numel() == 1, "value", self)
        return _tensorvet.unknown("the value of a tensor", "float")

    def tolist(self):
        return _tensorvet.unknown("the values of a tensor", "list")

    def detach(self):
        return self

    clone = contiguous = cpu = cuda = detach

    def backward(self, gradient=None, retain_graph=None, create_graph=False):
        _tensorvet.require("grad can be implicitly created only for scalar outputs", gradient is not None or self.numel() == 1, "shape", self)

    def requires_grad_(self, requires_grad=True):
        self.requires_grad = requires_grad
        return self

    def to(self, *arguments, **options):
        for argument in (*arguments, *options.values()):
            if isinstance(argument, _types.dtype):
                return f.cast(self, argument)
            if isinstance(argument, Tensor):
                return f.cast(self, argument.dtype)
        return self

    def type(self, kind=None):
        return self.dtype if kind is None else f.cast(self, kind)

    def type_as(self, other):
        return f.cast(self, other.dtype)

    def float(self):
        return f.cast(self, _types.float32)

    def double(self):
        return f.cast(self, _types.float64)

    def half(self):
        return f.cast(self, _types.float16)

    def long(self):
        return f.cast(self, _types.int64)

    def int(self):
        return f.cast(self, _types.int32)

    def bool(self):
        return f.cast(self, _types.bool)

    def view(self, *sizes):
        return f.reshape(self, f.as_sizes(sizes), _as="view")

    def reshape(self, *sizes):
        return f.reshape(self, f.as_sizes(sizes))

    def view_as(self, other):
        return f.reshape(self, other.shape, _as="view_as")

    def flatten(self, start_dim=0, end_dim=-1):
        return f.flatten(self, start_dim, end_dim)

    def permute(self, *dims):
        return f.permute(self, f.as_sizes(dims))

    def expand(self, *sizes):
        return f.expand(self, f.as_sizes(sizes))

    def repeat(self, *sizes):
        return f.tile(self, f.as_sizes(sizes))

    def __getitem__(self, index):
        return f.index(self, index)

    def __add__(self, other):
        return f.add(self, other)

    def __radd__(self, other):
        return f.add(other, self)

    def __sub__(self, other):
        return f.sub(self, other)

    def __rsub__(self, other):
        return f.sub(other, self)

    def __mul__(self, other):
        return f.mul(self, other)

    def __rmul__(self, other):
        return f.mul(other, self)

    def __truediv__(self, other):
        return f.div(self, other)

    def __rtruediv__(self, other):
        return f.div(other, self)

    def __pow__(self, other):
        return f.pow(self, other)

    def __matmul__(self, other):
        return f.matmul(self, other)

    def __neg__(self):
        return f.neg(self)

    def __eq__(self, other):
        return f.eq(self, other)

    def __ne__(self, other):
        return f.ne(self, other)

    def __lt__(self, other):
        return f.lt(self, other)

    def __le__(self, other):
        return f.le(self, other)

    def __gt__(self, other):
        return f.gt(self, other)

    def __ge__(self, other):
        return f.ge(self, other)

    def __getattr__(self, name):
        function = getattr(f, name, None)
        if function is None and name.endswith("_"):
            function = getattr(f, name[:-1], None)
            if function is not None:
                return lambda *arguments, **options: _tensorvet.replace(self, function(self, *arguments, **options))
        if function is None:
            return _tensorvet.unknown("`Tensor." + name + "` is not modelled")
        return lambda *arguments, **options: function(self, *arguments, **options)


_tensorvet.tensor_class(Tensor)
