"""What `open` gives."""

import _system
import _tensorvet


class File:
    """A file: what is in it is known if it is here, small and read as text."""

    closed = False

    def __init__(self, name, mode):
        self.name, self.mode = name, mode
        self._text = None
        if not set(mode) & set("wax+"):
            self._text = _system.read_text(name)
        self._lines = None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def _content(self):
        if self._text is None:
            return _tensorvet.unknown("what is in a file", "bytes" if "b" in self.mode else "str")
        return self._text.encode() if "b" in self.mode else self._text

    def read(self, size=-1):
        content = self._content()
        if size is not None and size >= 0:
            return _tensorvet.unknown("a part of a file", "bytes" if "b" in self.mode else "str")
        self._text = "" if self._text is not None else None
        return content

    def readlines(self, *hint):
        return list(self) if self._text is not None else self._some_lines()

    def _some_lines(self):
        line = _tensorvet.unknown("a line of a file", "bytes" if "b" in self.mode else "str")
        return _tensorvet.many(line, _tensorvet.symbol("lines", 0, 2147483646, "the number of lines of a file"))

    def readline(self, *size):
        return next(iter(self), "")

    def __iter__(self):
        if self._text is None:
            return iter(self._some_lines())
        if self._lines is None:
            parts = self._text.split("\n")
            lines = [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
            self._lines = iter([line.encode() for line in lines] if "b" in self.mode else lines)
        return self._lines

    def __next__(self):
        return next(iter(self))

    def write(self, text):
        return None

    writelines = seek = truncate = flush = write

    def tell(self):
        return _tensorvet.unknown("a place in a file", "int")

    fileno = tell

    def close(self):
        self.closed = True
