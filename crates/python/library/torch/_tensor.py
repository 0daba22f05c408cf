"""Tensors: most methods are the functions of the same name, those that end in `_` change the tensor itself."""

import builtins

import _tensorvet
from _tensorvet import made, require
from torch import _backward, _creation, _elements, _indexing, _types, _views
from torch import _functions as f
from torch._in_place import IN_PLACE, RESHAPING, Changing, InPlace, Reshaping, changeable, changed
from torch._rules import kind_of, laid_out, like, tensor_of
from torch._signs import SIGNS


class Size(tuple):
    __complete__ = True

    def numel(self):
        total = 1
        for size in self:
            total = total * size
        return total


# Functions of `torch` that are no methods.
_NO_METHODS = set(
    "arange atleast_1d atleast_2d atleast_3d block_diag broadcast_shapes broadcast_tensors cartesian_prod cat chain_matmul column_stack combinations complex concat concatenate dstack einsum empty "
    "empty_like empty_permuted empty_strided eye from_numpy full full_like hstack linspace logspace meshgrid normal ones ones_like polar rand rand_like randint randint_like randn randn_like randperm "
    "row_stack scalar_tensor searchsorted_ stack std_mean tensor tensordot trapezoid trapz tril_indices triu_indices unravel_index vander var_mean vstack where_ zeros zeros_like cdist pdist rsub "
    "cosine_similarity bucketize isin_ poisson cumulative_trapezoid gradient as_tensor asarray".split()
)


def _without_gradients(self):
    """Why no gradient reaches a tensor, as far as that is known."""
    kind = kind_of(self)
    if kind is not None and _types.kind_class(kind) < 2:
        return "it holds " + str(_types.by_kind(kind)) + ", and only floating-point numbers have gradients"
    return "nothing that it was computed from needs gradients, or they were not followed (no_grad, detach, data)"


class Tensor:
    def __new__(cls, *data, **options):
        return _creation.of_sizes_or_numbers(_types.DEFAULT["float"], data) if cls is Tensor else object.__new__(cls)

    is_cuda = is_xpu = is_mps = is_meta = is_sparse = is_quantized = is_nested = False
    # What was put in the place of the gradient.
    _grad = None
    # The strides of a view; None where the elements lie row by row.
    _strides = None

    _size = Size
    shape = property(_tensorvet.size)

    def size(self, dim: int | None = None):
        shape = self.shape
        if dim is None:
            return shape
        require("`dim` is one of the axes", -len(shape) <= dim and dim < len(shape), "value", self, raises=IndexError)
        return shape[dim]

    @property
    def dtype(self):
        return _types.by_kind(kind_of(self))

    ndim = property(_tensorvet.rank)

    def dim(self: Tensor):
        return _tensorvet.rank(self)

    ndimension = dim

    @property
    def device(self):
        return _types.device("cpu")

    @property
    def layout(self):
        return _types.strided

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def T(self):
        return f.permute(self, tuple(reversed(range(self.ndim))))

    @property
    def H(self):
        require("`H` is there for matrices", self.ndim in (0, 2), "shape", self)
        return f.transpose(self, 0, 1) if self.ndim > 0 else self

    @property
    def mT(self):
        require("`mT` is there for matrices", self.ndim >= 2 or self.ndim == 0, "shape", self)
        return f.transpose(self, -2, -1) if self.ndim > 0 else self

    @property
    def mH(self):
        require("`mH` is there for matrices", self.ndim >= 2 or self.ndim == 0, "shape", self)
        return f.transpose(self, -2, -1) if self.ndim > 0 else self

    @property
    def real(self):
        return f.real(self)

    @property
    def imag(self):
        return f.imag(self)

    @property
    def requires_grad(self):
        return _tensorvet.needs_gradient(self)

    @requires_grad.setter
    def requires_grad(self, value):
        self.requires_grad_(value)

    @property
    def is_leaf(self):
        return _tensorvet.is_leaf(self)

    @property
    def grad_fn(self):
        return None if _tensorvet.gradient(self) in ("no", "leaf") else _tensorvet.unknown("how a gradient is computed")

    @property
    def grad(self):
        """A gradient has the shape of its tensor, once any were computed; what needs none, and what was computed, has none."""
        if self._grad is not None or _tensorvet.gradient(self) == "no" or _tensorvet.has_gradient(self) is False:
            return self._grad
        if _tensorvet.gradient(self) == "derived" and not hasattr(self, "_retains"):
            return None
        return _tensorvet.leaf(like(self), False)

    @grad.setter
    def grad(self, value):
        if _tensorvet.is_tensor(value):
            require("a gradient has the shape of its tensor", value.shape == self.shape, "shape", self, value)
            self._grad = value
        else:
            _tensorvet.clear_gradients([self])

    @property
    def data(self):
        return _tensorvet.alias(self, False)

    @data.setter
    def data(self, value):
        needed = self.requires_grad
        _tensorvet.exchange(self, value)
        _tensorvet.leaf(self, needed)

    def numel(self: Tensor):
        return self.shape.numel()

    nelement = numel

    def stride(self: Tensor, dim: int | None = None):
        strides = _views.strides_of(self)
        if dim is None:
            return strides
        require("`dim` is one of the axes", -len(strides) <= dim and dim < len(strides), "value", self, raises=IndexError)
        return strides[dim]

    def is_contiguous(self: Tensor, *, memory_format: memory_format | None = None):
        if memory_format is not None and memory_format._name != "contiguous_format" and not hasattr(self, "_is_formatted"):
            return _tensorvet.unknown("in which order the axes lie", "bool")
        return _views.is_contiguous(self) if memory_format is None or memory_format._name == "contiguous_format" else True

    def contiguous(self: Tensor, *, memory_format: memory_format | None = None):
        laid_out(self, memory_format)
        formatted = None if memory_format is None else _views.formatted(self, memory_format)
        if formatted is not None:
            return formatted
        return self if _views.is_surely_contiguous(self) else _relaid(self)

    def is_complex(self):
        return self.dtype.is_complex

    def is_floating_point(self):
        return self.dtype.is_floating_point

    def element_size(self):
        return self.dtype.itemsize

    def __len__(self):
        if self.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]

    def __iter__(self):
        if _tensorvet.is_unknown(_tensorvet.shape(self)):
            return iter(_tensorvet.unknown("the rows of a tensor of which the rank is not known"))
        rows = f.unbind(self)
        are_told_apart = isinstance(rows, tuple) and len(rows) <= _views.MANY
        return iter([_drawn(row) for row in rows] if are_told_apart else rows)

    def __bool__(self):
        values = _tensorvet.entries(self)
        if values is not None and len(values) == 1:
            return builtins.bool(values[0])
        require("the truth of a tensor is that of one element", self.numel() == 1, "value", self)
        held = _tensorvet.held_truth(self)
        return _tensorvet.unknown("the value of a tensor", "bool") if held is None else held

    def __contains__(self, value):
        return _tensorvet.unknown("the values of a tensor", "bool")

    def __hash__(self):
        return id(self)

    def item(self: Tensor):
        require("a tensor of one element can be made a number", self.numel() == 1, "value", self)
        values = _tensorvet.entries(self)
        if values is not None:
            number = {"b": builtins.bool, "h": builtins.float, "f": builtins.float}.get(_types.LETTER.get(kind_of(self)))
            return values[0] if number is None else number(values[0])
        number = _tensorvet.held(self)
        if number is not None:
            return number
        number = _tensorvet.some_element(self)
        if number is not None:
            return number
        if _types.LETTER.get(kind_of(self)) in ("i", "u"):
            return _tensorvet.symbol("value", -2147483646, 2147483646, "the value of a tensor", "computed")
        names = {"b": "bool", "c": "complex"}
        return _tensorvet.unknown("the value of a tensor", names.get(_types.LETTER.get(kind_of(self)), "float"))

    def __format__(self, specification):
        # A tensor without axes is formatted as its number, which only the run tells.
        if specification and self.ndim > 0:
            raise TypeError("unsupported format string passed to Tensor.__format__: " + str(self.ndim) + " axes; `.item()` makes a number of a tensor of one element")
        return None

    def __int__(self):
        self._one_number()
        return builtins.int(self.item())

    def _one_number(self):
        require("a tensor of one element can be made a number", self.numel() == 1, "value", self, raises=ValueError)

    def __float__(self):
        self._one_number()
        return builtins.float(self.item())

    def __index__(self):
        return self.item()

    def tolist(self: Tensor):
        return _nested_values(self) if self.ndim > 0 else self.item()

    def numpy(self, *, force=False):
        from numpy import ndarray

        if not force and _tensorvet.gradient(self) in ("leaf", "derived"):
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        if kind_of(self) == "bf16":
            raise TypeError("Got unsupported ScalarType BFloat16: `.float().numpy()` converts it")
        return ndarray._of(_tensorvet.alias(self, False))

    def __array__(self, *arguments):
        return self.numpy()

    def detach(self):
        # No gradient gets past it: whoever looks at the backward pass knows it by its name.
        if _elements.is_followed(self):
            return _tensorvet.leaf(_tensorvet.operate("transpose", self, order=list(range(self.ndim)), _as="detach"), False)
        return _tensorvet.alias(self, False)

    def detach_(self):
        return _tensorvet.leaf(self, False)

    def cpu(self, memory_format: memory_format | None = None):
        return self

    def cuda(self, device: device | None = None, non_blocking=False, memory_format: memory_format | None = None):
        return self

    def pin_memory(self, device: device | None = None):
        return self

    def share_memory_(self):
        return self

    def backward(self, gradient: Tensor | None = None, retain_graph=None, create_graph=False, inputs=None):
        if inputs is not None and not isinstance(inputs, (list, tuple, Tensor)):
            raise TypeError("backward() takes inputs that are tensors")
        if _tensorvet.gradient(self) == "no":
            raise RuntimeError("backward() of a tensor that does not require grad and does not have a grad_fn: " + _without_gradients(self))
        if gradient is not None:
            require("`gradient` has the shape of the tensor", gradient.shape == self.shape, "shape", self, gradient)
        if isinstance(inputs, (list, tuple)):
            for each in inputs:
                require("`inputs` of backward are tensors", _tensorvet.is_tensor(each), "type", self)
        require("gradients start from one real number", gradient is not None or kind_of(self) not in ("c64", "c128"), "type", self)
        require("gradients start from one number: give `gradient` or reduce first", gradient is not None or self.numel() == 1, "shape", self)
        _backward.go((self,), retain_graph or create_graph or inputs is not None)

    def register_hook(self, hook):
        from torch.nn._module import RemovableHandle

        if _tensorvet.gradient(self) == "no":
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        return RemovableHandle(*_backward.await_tensor(self, hook))

    def register_post_accumulate_grad_hook(self, hook):
        from torch.nn._module import RemovableHandle

        if _tensorvet.gradient(self) == "derived":
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        return RemovableHandle(*_backward.await_tensor(self, hook, True))

    def retain_grad(self):
        if _tensorvet.gradient(self) == "no":
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        self._retains = True

    def requires_grad_(self, requires_grad=True):
        if requires_grad is True:
            kind = kind_of(self)
            require("only floating-point and complex tensors can require gradients", kind is None or _types.kind_class(kind) >= 2, "type", self)
            return self if _tensorvet.gradient(self) == "derived" else _tensorvet.leaf(self, True)
        if _tensorvet.gradient(self) == "derived":
            raise RuntimeError("you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().")
        return _tensorvet.leaf(self, requires_grad)

    def to(self, *arguments, **options):
        kind, memory_format = asked_of_to(arguments, options)
        laid_out(self, memory_format)
        result = self if kind is None else f.cast(self, kind)
        formatted = None if memory_format is None else _views.formatted(result, memory_format)
        return result if formatted is None else formatted

    def type(self, dtype=None, non_blocking=False):
        if dtype is None:
            return _types.tensor_type(kind_of(self))
        return f.cast(self, _types.of_tensor_type(dtype))

    def resize_(self, *sizes, memory_format: memory_format | None = None):
        changeable(self)
        if _tensorvet.gradient(self) in ("leaf", "derived"):
            raise RuntimeError("cannot resize variables that require grad")
        return _become(self, made(kind_of(self), _creation.listed("resize_", "size", sizes, {})))

    def resize_as_(self, other: Tensor, *, memory_format: memory_format | None = None):
        return self.resize_(tuple(other.shape))

    def set_(self, source=None, storage_offset=0, size=None, stride=()):
        if _tensorvet.is_tensor(source) and size is None:
            require("`set_` takes a tensor of the same element type", kind_of(source) == kind_of(self), "type", self, source)
            return _become(self, source)
        if source is None:
            return _become(self, made(kind_of(self), [0]))
        return _become(self, made(kind_of(self), list(size)) if size is not None else _tensorvet.unknown_tensor(kind_of(self)))

    def type_as(self, other: Tensor):
        return f.cast(self, other.dtype)

    def view(self, *sizes, **options):
        kind = options.pop("dtype", None) if not sizes else sizes[0]
        if isinstance(kind, _types.dtype) and len(sizes) < 2 and not options:
            return _views.view_kind(self, kind._kind)
        return _views.view(self, _creation.listed("view", "size", sizes, options))

    def view_as(self, other: Tensor):
        return _views.view(self, list(other.shape), "view_as")

    def reshape(self, *sizes, **options):
        return f.reshape(self, tuple(_creation.listed("reshape", "shape", sizes, options)))

    def reshape_as(self, other: Tensor):
        return f.reshape(self, tuple(other.shape))

    def permute(self, *dims, **options):
        return f.permute(self, tuple(_creation.listed("permute", "dims", dims, options)))

    def expand(self, *sizes, **options):
        options.pop("implicit", False)
        return _views.expand(self, _creation.listed("expand", "size", sizes, options))

    def expand_as(self, other: Tensor):
        return _views.expand(self, list(other.shape))

    def repeat(self, *sizes, **options):
        return _views.repeat(self, _creation.listed("repeat", "repeats", sizes, options))

    def tile(self, *dims, **options):
        return f.tile(self, tuple(_creation.listed("tile", "dims", dims, options)))

    def flip(self, *dims, **options):
        return f.flip(self, *dims, **options)

    def sum_to_size(self, *sizes, **options):
        sizes = _creation.listed("sum_to_size", "size", sizes, options)
        joint = _tensorvet.broadcast("f32", [self, made("f32", sizes)], "sum_to_size")
        require("the sizes can be summed to", joint.shape == self.shape, "shape", self)
        kept = sizes and sizes == list(self.shape)
        return made(kind_of(self) if kept else _types.summed(kind_of(self)), sizes)

    def polygamma(self, n: int):
        return f.polygamma(n, self)

    def polygamma_(self, n: int):
        return changed(self, "polygamma", f.polygamma(n, self))

    def unfold(self, dimension: int, size: int, step: int):
        return _views.unfold(self, dimension, size, step)

    def new_tensor(self, data, *, dtype: dtype | None = None, device: device | None = None, requires_grad: bool = False, layout: layout | None = None, pin_memory: bool = False):
        return _creation.tensor(data, dtype=self.dtype if dtype is None and not _tensorvet.is_tensor(data) else dtype, requires_grad=requires_grad)

    def new_full(self, size: ints, fill_value: Number, *, dtype: dtype | None = None, device: device | None = None, requires_grad: bool = False, layout: layout | None = None, pin_memory: bool = False):
        return _creation.full(size, fill_value, dtype=self.dtype if dtype is None else dtype, requires_grad=requires_grad)

    def new_empty_strided(self, size: ints, stride: ints, *, dtype: dtype | None = None, device: device | None = None, requires_grad: bool = False, layout: layout | None = None, pin_memory: bool = False):
        return _creation.empty_strided(size, stride, dtype=self.dtype if dtype is None else dtype)

    def copy_(self, src: Operand, non_blocking: bool = False):
        src = tensor_of(src, _types.of_number(src) if not _tensorvet.is_tensor(src) else None)
        joint = _tensorvet.broadcast(kind_of(self), [self, src], "copy_")
        require("what is copied broadcasts to the tensor", joint.shape == self.shape, "shape", self, src)
        changeable(self)
        return _tensorvet.replace(self, like(self), src)

    def fill_(self, value: Operand):
        changeable(self)
        if _tensorvet.is_tensor(value):
            require("a tensor is filled with one number", value.ndim == 0, "shape", self, value)
        else:
            require("a complex number needs a complex tensor", not isinstance(value, complex) or kind_of(self) in ("c64", "c128"), "type", self)
            return _tensorvet.replace(self, _elements.filled(self, value, like(self)))
        return _tensorvet.replace(self, like(self))

    def fill_diagonal_(self, fill_value: Number, wrap: bool = False):
        changeable(self)
        require("a tensor with a diagonal has two axes or more", self.ndim >= 2, "shape", self)
        if self.ndim > 2:
            for size in self.shape:
                require("a tensor of more than two axes has a diagonal where all sizes are equal", size == self.shape[0], "shape", self)
        values = _tensorvet.entries(self)
        if values is None or self.ndim != 2 or wrap:
            given = _elements.with_diagonal("fill_diagonal_", self, fill_value) if self.ndim == 2 and not wrap else None
            return _tensorvet.replace(self, like(self) if given is None else given)
        rows, columns = self.shape
        for place in range(builtins.min(rows, columns)):
            values[place * columns + place] = fill_value
        return _tensorvet.replace(self, _creation.tensor(values, dtype=self.dtype).reshape(rows, columns))

    def zero_(self: Tensor):
        changeable(self)
        return _tensorvet.replace(self, _elements.filled(self, 0, like(self)))

    def uniform_(self, a: float = 0, b: float = 1, *, generator: Generator | None = None):
        changeable(self)
        f.accept("uniform_", "hfc", self)
        require("numbers lie between two bounds, the lower first", a <= b, "value", self)
        return _tensorvet.replace(self, _elements.set_between(self, a, b, like(self)))

    def normal_(self, mean: float = 0, std: float = 1, *, generator: Generator | None = None):
        changeable(self)
        f.accept("normal_", "hfc", self)
        require("a deviation is not negative", std >= 0, "value", self)
        return _tensorvet.replace(self, _elements.set_between(self, mean - _elements.DEVIATIONS * std, mean + _elements.DEVIATIONS * std, like(self)))

    def random_(self, *bounds: int, generator: Generator | None = None, to: int | None = None):
        changeable(self)
        if len(bounds) + (0 if to is None else 1) > 2 or (to is not None and len(bounds) == 2):
            raise TypeError("random_() takes at most two bounds")
        for bound in bounds:
            if not isinstance(bound, builtins.int) or isinstance(bound, builtins.bool):
                raise TypeError("random_() takes bounds that are ints")
        bounds = [*bounds, *([] if to is None else [to])]
        low, high = bounds if len(bounds) == 2 else (bounds[0] if bounds else None, None)
        f.accept("random_", "bihf", self)
        low, high = (0, low) if high is None and low is not None else (low, high)
        require("numbers lie between two bounds, the lower first", high is None or low is None or low < high, "value", self)
        return _tensorvet.replace(self, like(self))

    def bernoulli_(self, p: Operand = 0.5, *, generator: Generator | None = None):
        changeable(self)
        f.accept("bernoulli_", "bihf", self)
        if _tensorvet.is_tensor(p):
            joint = _tensorvet.broadcast(kind_of(self), [self, p], "bernoulli_")
            require("the probabilities broadcast to the tensor", joint.shape == self.shape, "shape", self, p)
            f.accept("bernoulli_", "hf", p)
        else:
            require("a probability lies between 0 and 1", 0 <= p and p <= 1, "value", self)
            if _elements.is_followed(self):
                return _tensorvet.replace(self, _elements.ones_by_chance("bernoulli_", self, p))
        return _tensorvet.replace(self, like(self))

    def __getitem__(self, index):
        part = _indexing.index(self, index)
        return _drawn(part)

    def __setitem__(self, index, value):
        changeable(self)
        _indexing.set_index(self, index, value)

    def _nnz(self):
        from torch._sparse import stored_of

        return stored_of(self)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError("'Tensor' object has no attribute '" + name + "'")
        if name in f.PUBLIC and name not in _NO_METHODS:
            return _tensorvet.bound(getattr(f, name), self)
        base = name[:-1] if name.endswith("_") else None
        if base in IN_PLACE or base in RESHAPING:
            return (InPlace if base in IN_PLACE else Reshaping)(self, base, getattr(f, base))
        if not _tensorvet.has_name("class:Tensor", name):
            raise AttributeError("'Tensor' object has no attribute '" + name + "'")
        if name in _SPARSE:
            from torch import _sparse

            return _tensorvet.bound(getattr(_sparse, name), self)
        if base is not None:
            return Changing(self, name)
        return _tensorvet.unknown("`Tensor." + name + "` is not modelled")


# What is a function of the module is a method, too.
_tensorvet.methods(Tensor, f, f.PUBLIC, _NO_METHODS)

# Methods of sparse tensors.
_SPARSE = ("to_sparse", "to_sparse_csr", "to_dense", "coalesce", "is_coalesced", "indices", "values", "crow_indices", "col_indices", "sparse_mask")

_ARGUMENTS = {"dtype": _types.dtype, "non_blocking": builtins.bool, "copy": builtins.bool, "memory_format": _types.memory_format}


def asked_of_to(arguments, options):
    """`to(dtype, …)`, `to(device, dtype, …)` or `to(other, …)`, then whether to wait and to copy: the element type that is
    asked for, and the memory format."""
    first = arguments[0] if arguments else options.pop("other", None)
    if _tensorvet.is_unknown(first):
        return None, None
    words, kind = ["dtype", "non_blocking", "copy"], None
    if isinstance(first, Tensor):
        words, kind = ["other"] + words[1:], first.dtype
    elif isinstance(first, (builtins.bool, builtins.float, complex)):
        # A number stands for a tensor without axes; an integer counts devices.
        words, kind = ["other"] + words[1:], _types.by_kind(_types.of_number(first))
    elif first is None or isinstance(first, (str, builtins.int, _types.device)):
        words = ["device"] + words
    elif not _is_type(first):
        raise TypeError("to(): argument 'device' must be torch.device, not " + type(first).__name__)
    if isinstance(first, str):
        _types.device(first)
    _bound_options("to", words + ["memory_format"], arguments, options, len(words))
    asked = options.get("dtype")
    if kind is None and asked is not None and not _tensorvet.is_unknown(asked):
        kind = _types.by_kind(_creation.kind_named(asked))
    return kind, options.get("memory_format")


def _is_type(given):
    """Whether something stands for an element type: one of PyTorch's, or a class of numbers."""
    return isinstance(given, _types.dtype) or given in (builtins.int, builtins.float, builtins.bool, complex)


def _bound_options(name, words, arguments, options, most):
    """Enters arguments by position among those by name, and checks them."""
    if len(arguments) > most:
        raise TypeError(name + "() takes at most " + str(most) + " positional arguments")
    for word, value in zip(words, arguments):
        if word in options:
            raise TypeError(name + "() got multiple values for argument '" + word + "'")
        options[word] = value
    for word, value in options.items():
        if word not in words:
            raise TypeError(name + "() got an unexpected keyword argument '" + word + "'")
        wanted = _ARGUMENTS.get(word)
        if word == "dtype" and value is not None and not _tensorvet.is_unknown(value):
            if not _is_type(value):
                raise TypeError(name + "(): argument 'dtype' must be torch.dtype, not " + type(value).__name__)
            continue
        may_miss = value is None and word in ("dtype", "device", "memory_format")
        if wanted is not None and not isinstance(value, wanted) and not may_miss:
            raise TypeError(name + "(): argument '" + word + "' has the wrong type")


def _relaid(input):
    """The same elements, row by row."""
    result = f.reshape(input, tuple(input.shape))
    return like(input) if result._strides is not None else result


def _become(tensor, other):
    """The same object with other elements, in another shape."""
    result = _tensorvet.replace(tensor, other)
    tensor._strides = other._strides
    return result


def _nested_values(tensor):
    """The numbers of a tensor as nested lists."""
    return [part.tolist() for part in tensor]


def _drawn(part):
    """A part of a tensor; a single integer of which something is known is a number by itself."""
    if _tensorvet.rank(part) == 0 and _types.LETTER.get(kind_of(part)) == "i" and _tensorvet.entries(part) is None:
        number = _tensorvet.some_element(part)
        return part if number is None else _tensorvet.constant(kind_of(part), [], [number])
    return part


def _cast(kind):
    def method(self: Tensor, *, memory_format: memory_format | None = None):
        laid_out(self, memory_format)
        return f.cast(self, kind)

    return method


for _name in "float double half bfloat16 long int short bool cfloat cdouble".split():
    setattr(Tensor, _name, _tensorvet.named(_name, _cast(getattr(_types, _name))))
setattr(Tensor, "byte", _cast(_types.uint8))
setattr(Tensor, "char", _cast(_types.int8))


def _new(name):
    def method(self, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, **options):
        sizes = _creation.listed("new_" + name, "size", size, options)
        return getattr(_creation, name)(sizes, dtype=self.dtype if dtype is None else dtype, device=device, requires_grad=requires_grad, pin_memory=pin_memory)

    return method


for _name in ("zeros", "ones", "empty"):
    setattr(Tensor, "new_" + _name, _new(_name))


for _name, _function in SIGNS.items():
    setattr(Tensor, _name, _function)

_tensorvet.tensor_class(Tensor)
