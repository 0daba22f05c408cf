"""Files and folders for a while: they have names of their own, and nothing is made."""

from io import BytesIO, StringIO

_MADE = []


def gettempdir():
    return "/tmp"


def _name(suffix, prefix, dir):
    _MADE.append(True)
    return (dir or gettempdir()) + "/" + (prefix or "tmp") + str(len(_MADE)) + (suffix or "")


def mkdtemp(suffix=None, prefix=None, dir=None):
    return _name(suffix, prefix, dir)


def mktemp(suffix="", prefix="tmp", dir=None):
    return _name(suffix, prefix, dir)


def mkstemp(suffix=None, prefix=None, dir=None, text=False):
    return len(_MADE) + 3, _name(suffix, prefix, dir)


class TemporaryDirectory:
    def __init__(self, suffix=None, prefix=None, dir=None, ignore_cleanup_errors=False, *, delete=True):
        self.name = _name(suffix, prefix, dir)

    def cleanup(self):
        return None

    def __enter__(self):
        return self.name

    def __exit__(self, *problem):
        return None


def _file(mode, suffix, prefix, dir):
    file = BytesIO() if "b" in mode else StringIO()
    file.name = _name(suffix, prefix, dir)
    return file


def NamedTemporaryFile(mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None, delete=True, *, errors=None, delete_on_close=True):
    return _file(mode, suffix, prefix, dir)


def TemporaryFile(mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None, *, errors=None):
    return _file(mode, suffix, prefix, dir)
