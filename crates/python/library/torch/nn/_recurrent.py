"""Recurrent layers and their cells."""

import _tensorvet
from _tensorvet import made, require
from torch._rules import kind_of, one_kind, since
from torch._types import two_promoted
from torch.nn.utils.rnn import PackedSequence
from torch.nn._module import Module, around_zero, parameter
from torch._versions import ARGUMENTS, later

__later__ = later(ARGUMENTS)


class _Recurrent(Module):
    """A recurrent layer of several levels and directions."""

    def _build(self, gates, input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, proj_size, dtype):
        for name, flag in (("bias", bias), ("batch_first", batch_first)):
            if _tensorvet.decided(isinstance(flag, bool)) is False:
                raise TypeError(name + " should be of type bool, got: " + type(flag).__name__)
        if since(2, 11):
            require("the input size is positive", input_size > 0, "value", raises=ValueError)
        require("dropout is a number", _tensorvet.decided(isinstance(dropout, (int, float, complex))) is not False and _tensorvet.decided(isinstance(dropout, bool)) is not True, "value", raises=ValueError)
        require("the hidden size is positive", hidden_size > 0, "value", raises=ValueError)
        require("there is at least one layer", num_layers > 0, "value", raises=ValueError)
        require("a probability lies between 0 and 1", 0 <= dropout and dropout <= 1, "value", raises=ValueError)
        require("a projection is smaller than the hidden state", 0 <= proj_size and proj_size < hidden_size, "value", raises=ValueError)
        self.input_size, self.hidden_size, self.num_layers, self.batch_first = input_size, hidden_size, num_layers, batch_first
        self.bidirectional, self.proj_size, self.dropout, self.bias = bidirectional, proj_size, dropout, bias
        self._directions = 2 if bidirectional else 1
        self._state = proj_size if proj_size > 0 else hidden_size
        for number in range(num_layers):
            for suffix in ["", "_reverse"][: self._directions]:
                width = input_size if number == 0 else self._state * self._directions
                tail = "_l" + str(number) + suffix
                # One gate is the size as it is given.
                rows = hidden_size if gates == 1 else gates * hidden_size
                setattr(self, "weight_ih" + tail, parameter([rows, width], dtype, around_zero(hidden_size)))
                setattr(self, "weight_hh" + tail, parameter([rows, self._state], dtype, around_zero(hidden_size)))
                if bias:
                    setattr(self, "bias_ih" + tail, parameter([rows], dtype, around_zero(hidden_size)))
                    setattr(self, "bias_hh" + tail, parameter([rows], dtype, around_zero(hidden_size)))
                if proj_size > 0:
                    setattr(self, "weight_hr" + tail, parameter([proj_size, hidden_size], dtype, around_zero(hidden_size)))

    def flatten_parameters(self):
        return None

    def _run(self, input, hidden, cell):
        """The outputs of all steps, and the last states."""
        for word, given, wanted in (("num_layers", self.num_layers, int), ("bidirectional", self.bidirectional, bool)):
            if _tensorvet.decided(isinstance(given, wanted) and isinstance(given, bool) == (wanted is bool)) is False:
                raise TypeError(type(self).__name__ + "(): " + word + " must be " + wanted.__name__ + ", not " + type(given).__name__)
        require("the input is a sequence of vectors, batched or not", input.ndim == 3 or input.ndim == 2 and since(1, 11), "shape", input, raises=ValueError)
        batched = input.ndim == 3
        require("the last axis of the input has `input_size` features", input.shape[-1] == self.input_size, "shape", input)
        one_kind(type(self).__name__, self.weight_ih_l0, input, raises=ValueError)
        steps, batch = (input.shape[1], input.shape[0]) if self.batch_first and batched else (input.shape[0], input.shape[1] if batched else 1)
        require("the sequence is not empty", steps > 0, "shape", input)
        number = self.num_layers * self._directions
        for state, width in ((hidden, self._state), (cell, self.hidden_size)):
            if state is not None:
                require("a state has a batch axis if the input has", state.ndim == (3 if batched else 2), "shape", input, state)
                wanted = (number, batch, width) if batched else (number, width)
                require("a state has (layers * directions, batch, size)", tuple(state.shape) == wanted, "shape", input, state)
                one_kind(type(self).__name__, input, state, raises=ValueError)
        kind = kind_of(input)
        width = self._state * self._directions
        output = made(kind, ([batch, steps, width] if self.batch_first else [steps, batch, width]) if batched else [steps, width])
        shape = [number, batch] if batched else [number]
        return output, made(kind, shape + [self._state]), made(kind, shape + [self.hidden_size])


class _Plain(_Recurrent):
    def forward(self, input: object, hx: Tensor | None = None):
        output, hidden, _ = _over(self, input, hx, None)
        return output, hidden


def _over(layer, input, hidden, cell):
    """Runs a layer over a tensor, or over sequences that are packed."""
    if isinstance(input, PackedSequence):
        output, hidden, cell = layer._run(input._padded, hidden, cell)
        return input._like(output), hidden, cell
    if not _tensorvet.is_tensor(input):
        raise AttributeError("a recurrent layer takes a tensor or packed sequences")
    output, hidden, cell = layer._run(input, hidden, cell)
    if not layer.batch_first and output.ndim == 3:
        require("the batch comes second, unless `batch_first` is set", not hasattr(input, "_batch_first"), "suspicious axis", input)
        output._steps_first = True
    return output, hidden, cell


class RNN(_Plain):
    def __init__(self, input_size: size, hidden_size: size, num_layers: size = 1, nonlinearity: object = "tanh", bias=True, batch_first=False, dropout=0.0, bidirectional=False, device=None, dtype: dtype | None = None):
        super().__init__()
        require("`nonlinearity` is 'tanh' or 'relu'", nonlinearity in ("tanh", "relu"), "value", raises=ValueError)
        self._build(1, input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, 0, dtype)


class GRU(_Plain):
    def __init__(self, input_size: size, hidden_size: size, num_layers: size = 1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, device=None, dtype: dtype | None = None):
        super().__init__()
        self._build(3, input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, 0, dtype)


class LSTM(_Recurrent):
    def __init__(self, input_size: size, hidden_size: size, num_layers: size = 1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, proj_size: int = 0, device=None, dtype: dtype | None = None):
        super().__init__()
        self._build(4, input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, proj_size, dtype)

    def forward(self, input: object, hx=None):
        if hx is not None and (not isinstance(hx, (tuple, list)) or len(hx) < 2):
            raise TypeError("the state of an LSTM is a pair")
        # Without a batch, what follows the pair is not looked at.
        is_pair = hx is None or len(hx) == 2 or (_tensorvet.is_tensor(input) and input.ndim == 2)
        require("the state of an LSTM is a pair", is_pair, "value")
        hidden, cell = (None, None) if hx is None else (hx[0], hx[1])
        output, hidden, cell = _over(self, input, hidden, cell)
        return output, (hidden, cell)


class _Cell(Module):
    def _build(self, gates, input_size, hidden_size, bias, dtype):
        self.input_size, self.hidden_size = input_size, hidden_size
        self.weight_ih = parameter([gates * hidden_size, input_size], dtype, around_zero(hidden_size))
        self.weight_hh = parameter([gates * hidden_size, hidden_size], dtype, around_zero(hidden_size))
        if bias:
            self.bias_ih, self.bias_hh = parameter([gates * hidden_size], dtype, around_zero(hidden_size)), parameter([gates * hidden_size], dtype, around_zero(hidden_size))

    def _step(self, input, *states):
        name = type(self).__name__
        require("the input of `" + name + "` is a vector, batched or not", input.ndim == 2 or input.ndim == 1 and since(1, 11), "shape", input, raises=ValueError)
        require("the input has `input_size` features", input.shape[-1] == self.input_size, "shape", input)
        one_kind(name, self.weight_ih, input)
        batch = list(input.shape[:-1])
        kind = kind_of(input)
        for number, state in enumerate(states):
            if state is not None:
                require("a state has the batch of the input and `hidden_size` features", list(state.shape) == batch + [self.hidden_size], "shape", input, state)
                # The cell of an LSTM is multiplied with gates, not with weights.
                if number == 0:
                    one_kind(name, input, state)
                else:
                    kind = two_promoted(kind, kind_of(state))
        return made(kind, batch + [self.hidden_size])


class RNNCell(_Cell):
    def __init__(self, input_size: size, hidden_size: size, bias=True, nonlinearity: object = "tanh", device=None, dtype: dtype | None = None):
        super().__init__()
        self.nonlinearity = nonlinearity
        self._build(1, input_size, hidden_size, bias, dtype)

    def forward(self, input: Duck, hx: Tensor | None = None):
        require("`nonlinearity` is 'tanh' or 'relu'", self.nonlinearity in ("tanh", "relu"), "value", input)
        return self._step(input, hx)


class GRUCell(_Cell):
    def __init__(self, input_size: size, hidden_size: size, bias=True, device=None, dtype: dtype | None = None):
        super().__init__()
        self._build(3, input_size, hidden_size, bias, dtype)

    def forward(self, input: Tensor, hx: Duck | None = None):
        return self._step(input, hx)


class LSTMCell(_Cell):
    def __init__(self, input_size: size, hidden_size: size, bias=True, device=None, dtype: dtype | None = None):
        super().__init__()
        self._build(4, input_size, hidden_size, bias, dtype)

    def forward(self, input: Duck, hx=None):
        hidden, cell = (None, None) if hx is None else (hx[0], hx[1])
        state = self._step(input, hidden, cell)
        return state, state
