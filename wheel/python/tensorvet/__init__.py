"""Tells which hyper-parameters of a model can never work, before a trial runs.

Nothing of the model is executed, and neither torch nor tensorflow is imported.
"""

import json
import os

from tensorvet._tensorvet import Verdict, __version__, _Model, _Space

__all__ = ["Model", "Space", "Verdict", "__version__"]


class Space:
    """Hyper-parameters, and what each may be: a space file, or a dictionary of domains."""

    def __init__(self, what):
        self.source = what if isinstance(what, dict) else os.fspath(what)
        if isinstance(what, dict):
            self._inner = _Space.parse(json.dumps(what))
        else:
            self._inner = _Space.read(os.fspath(what))
        self.names = self._inner.names
        self.domains = dict(zip(self.names, json.loads(self._inner.domains())))
        # Of a range of real numbers the values are only some.
        self.ranges = {name: tuple(ends) for name, ends in json.loads(self._inner.ranges()).items()}

    @property
    def size(self):
        """How many vectors the plain product of all values has: `len` holds no more than 2**63 - 1."""
        return self._inner.size

    def __len__(self):
        return self.size

    def __bool__(self):
        return True

    def __reduce__(self):
        return Space, (self.source if isinstance(self.source, dict) else os.path.abspath(self.source),)

    def __repr__(self):
        return f"Space({', '.join(self.names)}: {self._inner.size:,} vectors)"


class Model:
    """A Python program, a class in one (`net.py::Net`), an ONNX or a Keras file, compiled on a space.

    `inputs` are tensors by name (`{"x": "f32[N,3,size,size]"}`), `arguments` the command line of a program, `init`
    arguments of a class or function, `sizes` named sizes that are fixed or bounded (`{"N": 8}`, `{"N": (1, 64)}`).
    With `improper` what works and is hardly meant is invalid.
    """

    def __init__(
        self, path, space, *, inputs=None, arguments=(), init=None, sizes=None, packages=(), stubs=(), improper=False
    ):
        self.space = space if isinstance(space, Space) else Space(space)
        bounds = {name: size if isinstance(size, tuple) else (size, size) for name, size in (sizes or {}).items()}
        self._inner = _Model(
            os.fspath(path),
            self.space._inner,
            [f"{name}={shape}" for name, shape in (inputs or {}).items()],
            [str(argument) for argument in arguments],
            [(name, repr(value)) for name, value in (init or {}).items()],
            [(name, low, high) for name, (low, high) in bounds.items()],
            [os.fspath(path) for path in packages],
            [os.fspath(path) for path in stubs],
            improper,
        )
        self.is_valid = self._inner.is_valid
        self.why = self._inner.why
        self._names = frozenset(self.space.names)
        self._made = (path, inputs, arguments, init, sizes, packages, stubs, improper)

    def __reduce__(self):
        # Another process, which may stand in another folder, compiles it again.
        path, *settings = self._made
        return _compiled, (os.path.abspath(os.fspath(path)), self.space, *settings)

    def judge(self, params):
        """As `is_valid`, of parameters among which some may be none of the space (a learning rate)."""
        return self._inner.is_valid({name: value for name, value in params.items() if name in self._names})

    def census(self):
        """How many vectors are valid, and what the others break, the most frequent cause first."""
        counts = self._inner.census()
        for cause in counts["causes"] + counts["improper_causes"]:
            cause["example"] = json.loads(cause["example"])
        return counts

    @property
    def size(self):
        """How many vectors the plain product of all values has: `len` holds no more than 2**63 - 1."""
        return self._inner.size

    def __len__(self):
        return self.size

    def __bool__(self):
        return True

    def shard(self, number, of):
        """The numbers of the vectors of one of several shares: the first, and the one behind the last."""
        return self._inner.shard(number, of)

    def batches(self, start=0, stop=None, size=65536):
        """Vectors with their verdicts, as record batches of Arrow."""
        from tensorvet import _arrow

        yield from _arrow.batches(self, start, self._inner.size if stop is None else stop, size)

    def table(self, start=0, stop=None):
        """Vectors with their verdicts, as a table of Arrow: `pyarrow.parquet.write_table(model.table(), path)`."""
        from tensorvet import _arrow

        return _arrow.table(self, start, self._inner.size if stop is None else stop)


def _compiled(path, space, inputs, arguments, init, sizes, packages, stubs, improper):
    return Model(
        path,
        space,
        inputs=inputs,
        arguments=arguments,
        init=init,
        sizes=sizes,
        packages=packages,
        stubs=stubs,
        improper=improper,
    )
