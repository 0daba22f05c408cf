"""Sequences of different lengths."""

import _tensorvet
from _tensorvet import made, require
from torch._rules import kind_of, known


class PackedSequence:
    """Sequences without their padding; the padded shape is remembered."""

    sorted_indices = unsorted_indices = None

    def __init__(self, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        self.data, self.batch_sizes = data, batch_sizes
        self.sorted_indices, self.unsorted_indices = sorted_indices, unsorted_indices
        origin = getattr(batch_sizes, "_packed", None)
        if origin is None:
            steps = batch_sizes.shape[0] if _tensorvet.is_tensor(batch_sizes) else _unknown_length()
            sizes = known(batch_sizes) if _tensorvet.is_tensor(batch_sizes) else None
            batch = sizes[0] if sizes else _tensorvet.symbol("sequences", 1, 1 << 31, "the number of sequences")
            self._lengths, self._batch_first = None, False
        else:
            require("packed sequences keep their number of elements", data.shape[0] == origin.data.shape[0], "shape", data)
            batch_first, steps, batch = origin._batch_first, *origin._steps_and_batch()
            self._lengths, self._batch_first = origin._lengths, batch_first
        front = [batch, steps] if self._batch_first else [steps, batch]
        self._padded = made(kind_of(data), [*front, *data.shape[1:]])

    @classmethod
    def _of(cls, padded, lengths, batch_first):
        """What is left of padded sequences, lengths being numbers or not known."""
        packed = object.__new__(cls)
        packed._padded, packed._lengths, packed._batch_first = padded, lengths, batch_first
        steps, _ = packed._steps_and_batch()
        if lengths is None:
            total, longest = _tensorvet.symbol("packed", 0, 1 << 31, "the number of elements of packed sequences"), _unknown_length()
        else:
            total, longest = sum([min(length, steps) for length in lengths]), max(lengths)
        packed.data = made(kind_of(padded), [total, *padded.shape[2:]])
        packed.batch_sizes = made("i64", [longest])
        packed.batch_sizes._packed = packed
        return packed

    def _steps_and_batch(self):
        first, second = self._padded.shape[:2]
        return (second, first) if self._batch_first else (first, second)

    def _like(self, padded):
        return PackedSequence._of(padded, self._lengths, self._batch_first)

    def to(self, *arguments, **options):
        return self._like(self._padded.to(*arguments, **options))

    def cpu(self):
        return self

    cuda = pin_memory = lambda self, *arguments, **options: self

    @property
    def is_cuda(self):
        return _tensorvet.unknown("the device", "bool")

    def __iter__(self):
        return iter((self.data, self.batch_sizes, self.sorted_indices, self.unsorted_indices))


def _unknown_length():
    return _tensorvet.symbol("longest", 1, 1 << 31, "the longest of the sequences")


def _numbers(lengths):
    """The lengths, if all of them are known."""
    numbers = known(lengths) if _tensorvet.is_tensor(lengths) else None if _tensorvet.is_open(lengths) else [int(length) for length in lengths]
    return None if numbers is None or any([_tensorvet.is_unknown(number) for number in numbers]) else [int(number) for number in numbers]


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    require("padded sequences have a length and a batch", input.ndim >= 2, "shape", input, raises=IndexError)
    if _tensorvet.is_tensor(lengths):
        require("`lengths` is a vector", lengths.ndim == 1, "shape", lengths)
    batch = input.shape[0 if batch_first else 1]
    number = lengths.shape[0] if _tensorvet.is_tensor(lengths) else len(lengths)
    require("there is a length per sequence", number == batch, "shape", input)
    numbers = _numbers(lengths)
    shown = (lengths,) if _tensorvet.is_tensor(lengths) else ()
    for number in numbers or []:
        require("every length is greater than 0", number > 0, "value", *shown)
    if enforce_sorted:
        for before, after in zip(numbers or [], (numbers or [])[1:]):
            require("the lengths are sorted, the longest first: sort them, or pass enforce_sorted=False", after <= before, "value", *shown)
    return PackedSequence._of(input, numbers, batch_first)


def pack_sequence(sequences, enforce_sorted=True):
    lengths = [sequence.shape[0] for sequence in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    padded, lengths = sequence._padded, sequence._lengths
    if batch_first != sequence._batch_first:
        padded = padded.transpose(0, 1)
    place = 1 if batch_first else 0
    shape = list(padded.shape)
    longest = _unknown_length() if lengths is None else max(lengths)
    if total_length is not None:
        require("`total_length` is not less than the longest sequence", lengths is None or total_length >= longest, "value", raises=ValueError)
    shape[place] = longest if total_length is None else total_length
    batch = shape[1 - place]
    return made(kind_of(padded), shape), made("i64", [batch]) if lengths is None else _tensorvet.constant("i64", [len(lengths)], lengths)


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    sequences = list(sequences)
    longest = max([sequence.shape[0] for sequence in sequences])
    for sequence in sequences[1:]:
        require("sequences agree in all but their lengths", sequence.shape[1:] == sequences[0].shape[1:], "shape", sequences[0], sequence)
    front = [len(sequences), longest] if batch_first else [longest, len(sequences)]
    return made(kind_of(sequences[0]), front + list(sequences[0].shape[1:]))


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    padded = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    numbers = known(lengths) or [_unknown_length() for _ in range(padded.shape[0])]
    return [padded[place][:number] for place, number in enumerate(numbers)]


def unpack_sequence(packed_sequences):
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
