"""Streams in memory; files are those of `open`."""

import _tensorvet

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
DEFAULT_BUFFER_SIZE = 8192
open = open


class UnsupportedOperation(OSError, ValueError):
    pass


class IOBase:
    closed = False

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def close(self):
        self.closed = True

    def flush(self):
        return None

    def readable(self):
        return True

    writable = seekable = readable


class StringIO(IOBase):
    _empty = ""

    def __init__(self, text=None, newline="\n"):
        self._text = self._empty if text is None else text
        self._place = 0

    def write(self, text):
        self._text = self._text[:self._place] + text + self._text[self._place + len(text):]
        self._place += len(text)
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def getvalue(self):
        return self._text

    def read(self, size=-1):
        end = len(self._text) if size is None or size < 0 else self._place + size
        part = self._text[self._place:end]
        self._place += len(part)
        return part

    def readline(self):
        end = self._text.find("\n" if isinstance(self._text, str) else b"\n", self._place)
        return self.read(-1 if end < 0 else end + 1 - self._place)

    def readlines(self):
        return list(self)

    def __iter__(self):
        while True:
            line = self.readline()
            if not line:
                return
            yield line

    def seek(self, place, whence=0):
        self._place = place if whence == 0 else self._place + place if whence == 1 else len(self._text) + place
        return self._place

    def tell(self):
        return self._place

    def truncate(self, size=None):
        self._text = self._text[:self._place if size is None else size]


class BytesIO(StringIO):
    _empty = b""

    def getbuffer(self):
        return self._text


class TextIOWrapper(IOBase):
    def __init__(self, *arguments, **options):
        return None

    def read(self, *size):
        return _tensorvet.unknown("what is in a file", "str")

    def __iter__(self):
        return iter(_tensorvet.unknown("the lines of a file"))


RawIOBase = BufferedIOBase = TextIOBase = IOBase
BufferedReader = BufferedWriter = FileIO = TextIOWrapper
