"""Sequences of different lengths."""

import _tensorvet
from _tensorvet import require
from torch._rules import kind_of, made


class PackedSequence:
    """Sequences without their padding; the padded tensor is remembered."""

    def __init__(self, padded, lengths, batch_first):
        self._padded, self._lengths, self._batch_first = padded, lengths, batch_first
        total = _tensorvet.symbol("packed", 0, 1 << 31, "the number of elements of packed sequences")
        self.data = made(kind_of(padded), [total, *padded.shape[2:]])

    def _like(self, padded):
        return PackedSequence(padded, self._lengths, self._batch_first)


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    require("padded sequences have a length and a batch", input.ndim >= 2, "shape", input)
    batch = input.shape[0 if batch_first else 1]
    number = lengths.shape[0] if _tensorvet.is_tensor(lengths) else len(lengths)
    require("there is a length per sequence", number == batch, "shape", input)
    return PackedSequence(input, lengths, batch_first)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    padded = sequence._padded
    if batch_first != sequence._batch_first:
        padded = padded.transpose(0, 1)
    place = 1 if batch_first else 0
    shape = list(padded.shape)
    lengths = None if _tensorvet.is_tensor(sequence._lengths) else [each for each in sequence._lengths]
    longest = max(lengths) if lengths else _tensorvet.symbol("longest", 1, 1 << 31, "the longest of the sequences")
    shape[place] = longest if total_length is None else total_length
    return made(kind_of(padded), shape), made("i64", [shape[1 - place]])


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    sequences = list(sequences)
    longest = max([sequence.shape[0] for sequence in sequences])
    for sequence in sequences[1:]:
        require("sequences agree in all but their lengths", sequence.shape[1:] == sequences[0].shape[1:], "shape", sequences[0], sequence)
    front = [len(sequences), longest] if batch_first else [longest, len(sequences)]
    return made(kind_of(sequences[0]), front + list(sequences[0].shape[1:]))
