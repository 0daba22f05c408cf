"""Apache Spark: a space that outgrows one machine, judged by the workers."""

import functools

from tensorvet import Model, _arrow

# A task judges at most this many vectors, so that little is lost with a worker.
VECTORS_PER_TASK = 1_000_000


def sweep(spark, path, space, *, shards=None, **settings):
    """A data frame with every vector of a space and its verdict; `settings` are those of `Model`.

    `path` and a space that is a file are read on each worker. The wheel has to be installed there.
    A task whose worker is lost is run again by Spark; vectors are judged by their numbers, so none is lost or doubled.
    """
    model = Model(path, space, **settings)
    count = shards or max(1, -(-len(model) // VECTORS_PER_TASK))
    ranges = [model.shard(number, count) for number in range(count)]
    rows = [(str(start), str(stop)) for start, stop in ranges]
    frame = spark.createDataFrame(rows, "start string, stop string").repartition(count)
    return frame.mapInArrow(functools.partial(_judge, model), _ddl(model.space))


def _judge(model, parts):
    for part in parts:
        for start, stop in zip(part.column("start").to_pylist(), part.column("stop").to_pylist()):
            yield from model.batches(int(start), int(stop))


def _ddl(space):
    """The columns as Spark names their types."""
    names = {"bool": "boolean", "int64": "bigint", "double": "double", "string": "string"}
    fields = (f"`{field.name}` {names[str(field.type)]}" for field in _arrow.schema(space))
    return ", ".join(fields)
