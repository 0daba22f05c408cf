"""Vectors and their verdicts as Arrow: a column per hyper-parameter, `verdict` and `why`."""

import json

import pyarrow as pa

KINDS = {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), str: pa.string()}


def columns_of(space):
    """The values of each hyper-parameter as an array; what has no type of its own in Arrow is JSON."""
    return {name: values_of(values) for name, values in space.domains.items()}


def values_of(values):
    kinds = {type(value) for value in values}
    if kinds == {int, float}:
        kinds = {float}
    if len(kinds) == 1 and (kind := kinds.pop()) in KINDS:
        return pa.array(values, KINDS[kind])
    return pa.array([value if isinstance(value, str) else json.dumps(value) for value in values], pa.string())


def schema(space):
    fields = [(name, array.type) for name, array in columns_of(space).items()]
    return pa.schema([*fields, ("verdict", pa.string()), ("why", pa.string())])


def batches(model, start, stop, size):
    values = list(columns_of(model.space).values())
    states = pa.array(model._inner.states)
    names = schema(model.space)
    for first in range(start, stop, size):
        places, verdicts, whys, texts = model._inner.columns(first, min(first + size, stop))
        count = len(verdicts)
        if not count:
            continue
        taken = [array.take(numbers(column, pa.uint32(), count)) for array, column in zip(values, places)]
        texts = pa.array([None, *texts[1:]], pa.string())
        taken.append(states.take(numbers(verdicts, pa.uint8(), count)))
        taken.append(texts.take(numbers(whys, pa.uint32(), count)))
        yield pa.RecordBatch.from_arrays(taken, schema=names)


def numbers(data, kind, count):
    return pa.Array.from_buffers(kind, count, [None, pa.py_buffer(data)])


def table(model, start, stop):
    return pa.Table.from_batches(batches(model, start, stop, 1 << 20), schema=schema(model.space))
