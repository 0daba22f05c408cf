"""Samples become a batch: numbers and tensors get a first axis, containers are gone through.

Of a batch one or two samples are looked at; they stand for all of its rows.
"""

import _tensorvet
from _tensorvet import made
from torch import _types


def collated(samples, size, is_part=False):
    """A batch of `size` rows such as the samples; parts of samples stand in tuples."""
    sample = samples[0]
    if _tensorvet.is_unknown(sample):
        kind = "int" if isinstance(sample, int) else "float" if isinstance(sample, float) else None
        if kind is None:
            return _tensorvet.unknown("a batch of samples of which nothing is known")
        return made("i64" if kind == "int" else "f64", [size])
    if hasattr(sample, "_tensor"):
        samples = [_as_tensor(each) for each in samples]
        sample = samples[0]
    if _tensorvet.is_tensor(sample):
        return _stacked(samples, size)
    if isinstance(sample, bool) or isinstance(sample, int):
        return _tensorvet.stood_for(made("i64", [size]), samples)
    if isinstance(sample, float):
        return made("f64", [size])
    if isinstance(sample, (str, bytes)):
        texts = [samples[place % len(samples)] for place in range(size)] if _tensorvet.is_number(size) else None
        return _tensorvet.unknown("a batch of texts", "tuple" if is_part else "list") if texts is None else tuple(texts) if is_part else texts
    if isinstance(sample, dict):
        return {key: collated([each[key] for each in samples], size) for key in sample}
    if isinstance(sample, tuple) and hasattr(sample, "_fields"):
        return type(sample)(*[collated([each[place] for each in samples], size, True) for place in range(len(sample))])
    if isinstance(sample, (tuple, list)):
        for each in samples:
            if len(each) != len(sample):
                raise RuntimeError("each element in list of batch should be of equal size")
        return [collated([each[place] for each in samples], size, True) for place in range(len(sample))]
    raise TypeError("default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found " + str(type(sample)))


def _as_tensor(sample):
    return sample._tensor if hasattr(sample, "_tensor") else sample


def _stacked(samples, size):
    first = samples[0]
    shape = _tensorvet.shape(first)
    if _tensorvet.is_unknown(shape):
        return _tensorvet.unknown_tensor(_tensorvet.kind(first))
    for other in samples[1:]:
        sizes = _tensorvet.shape(other)
        if not _tensorvet.is_unknown(sizes):
            _tensorvet.require("the samples of a batch have as many axes as each other", len(sizes) == len(shape), "shape", first, other)
            for one, another in zip(sizes, shape):
                _tensorvet.require("the samples of a batch have one shape", one == another, "shape", first, other)
    batch = made(_tensorvet.kind(first), [size, *shape])
    if hasattr(first, "_whole"):
        batch = _tensorvet.like_those_of(batch, first._whole)
    elif len(shape) > 0:
        batch = _tensorvet.like_those_of(batch, *samples)
    elif _types.LETTER.get(_tensorvet.kind(first)) == "i":
        batch = _tensorvet.stood_for(batch, [each.item() for each in samples])
    # Recurrent layers ask for this.
    batch._batch_first = True
    return batch


def default_collate(batch):
    batch = list(batch)
    return collated(batch[:2], len(batch))


def default_convert(data):
    return data


_tensorvet.named("DataLoader", collated)
