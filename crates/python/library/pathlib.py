"""Paths as objects."""

import _system
import _tensorvet
import os.path as _path


class PurePath:
    def __init__(self, *parts):
        text = _path.join(*parts) if parts else "."
        self._text = _tidy(text)

    def _made(self, text):
        return type(self)(text)

    def __fspath__(self):
        return self._text

    def __str__(self):
        return self._text

    def __repr__(self):
        return f"{'PosixPath' if isinstance(self, Path) else 'PurePosixPath'}({self._text!r})"

    def __truediv__(self, other):
        return self._made(_path.join(self._text, other))

    def __rtruediv__(self, other):
        return self._made(_path.join(other, self._text))

    def __eq__(self, other):
        return isinstance(other, PurePath) and self._text == other._text

    def __hash__(self):
        return hash(self._text)

    def __lt__(self, other):
        return self._text < other._text

    def joinpath(self, *parts):
        return self._made(_path.join(self._text, *parts))

    @property
    def name(self):
        return "" if self._text in (".", "/") else _path.basename(self._text)

    @property
    def stem(self):
        return _path.splitext(self.name)[0]

    @property
    def suffix(self):
        return _path.splitext(self.name)[1]

    @property
    def suffixes(self):
        return ["." + part for part in self.name.lstrip(".").split(".")[1:]]

    @property
    def parent(self):
        return self._made(_path.dirname(self._text) or ".") if self._text != "/" else self

    @property
    def parents(self):
        found, here = [], self
        while here.parent != here and len(found) < 100:
            here = here.parent
            found.append(here)
        return found

    @property
    def parts(self):
        inner = [part for part in self._text.split("/") if part]
        return tuple((["/"] if self._text.startswith("/") else []) + inner)

    @property
    def anchor(self):
        return "/" if self._text.startswith("/") else ""

    root = anchor
    drive = ""

    def with_name(self, name):
        return self.parent / name

    def with_suffix(self, suffix):
        return self.parent / (self.stem + suffix)

    def with_stem(self, stem):
        return self.parent / (stem + self.suffix)

    def as_posix(self):
        return self._text

    def is_absolute(self):
        return self._text.startswith("/")

    def relative_to(self, *other):
        base = str(type(self)(*other))
        if self._text == base:
            return self._made(".")
        start = base if base.endswith("/") else base + "/"
        if base != "." and not self._text.startswith(start):
            raise ValueError(f"{self._text!r} is not in the subpath of {base!r}")
        return self._made(self._text if base == "." else self._text[len(start):])

    def is_relative_to(self, *other):
        try:
            self.relative_to(*other)
        except ValueError:
            return False
        return True

    def match(self, pattern):
        return _tensorvet.unknown("whether a path matches", "bool")


def _tidy(text):
    start = "/" if text.startswith("/") else ""
    parts = [part for part in text.split("/") if part not in ("", ".")]
    return (start + "/".join(parts)) or "."


class Path(PurePath):
    @classmethod
    def cwd(cls):
        return cls(_system.folder())

    @classmethod
    def home(cls):
        return _tensorvet.unknown("the folder of the user")

    def exists(self, **options):
        return _system.is_there(self._text)

    def is_file(self):
        return _system.is_there(self._text, "file")

    def is_dir(self):
        return _system.is_there(self._text, "folder")

    def is_symlink(self):
        return _tensorvet.unknown("whether a file is a link", "bool")

    def absolute(self):
        return self._made(_path.abspath(self._text))

    def resolve(self, strict=False):
        return self.absolute()

    def expanduser(self):
        return self._made(_path.expanduser(self._text))

    def open(self, mode="r", *arguments, **options):
        return open(self._text, mode)

    def read_text(self, *arguments, **options):
        return open(self._text).read()

    def read_bytes(self):
        return _tensorvet.unknown("what is in a file", "bytes")

    def iterdir(self):
        entries = _system.entries_of(self._text)
        return _tensorvet.unknown("what is in a folder") if entries is None else iter([self / entry for entry in entries])

    def glob(self, pattern, **options):
        return _tensorvet.unknown("the files of a folder")

    rglob = glob

    def stat(self, **options):
        return _tensorvet.unknown("facts of a file")

    def mkdir(self, *arguments, **options):
        return None

    unlink = rmdir = touch = chmod = write_text = write_bytes = symlink_to = mkdir

    def rename(self, target):
        return self._made(str(target))

    replace = rename


PosixPath = WindowsPath = Path
PurePosixPath = PureWindowsPath = PurePath
