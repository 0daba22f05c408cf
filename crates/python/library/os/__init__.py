"""The system: files that are here are seen, nothing is changed."""

import _system
import _tensorvet
from os import path

name, sep, altsep, linesep, pathsep, curdir, pardir, extsep, devnull = "posix", "/", None, "\n", ":", ".", "..", ".", "/dev/null"
R_OK, W_OK, X_OK, F_OK = 4, 2, 1, 0
O_RDONLY, O_WRONLY, O_RDWR, O_CREAT = 0, 1, 2, 64
error = OSError


class _Environment(dict):
    """Variables: what the program sets is known; what is not set here may be set where it runs."""

    def __missing__(self, key):
        return _tensorvet.unknown(f"the environment variable `{key}`", "str")


environ = _Environment()


def getenv(key, default=None):
    return environ.get(key, default)


def putenv(key, value):
    environ[key] = value


def unsetenv(key):
    environ.pop(key, None)


def getcwd():
    return _system.folder()


def fspath(path):
    return path if isinstance(path, (str, bytes)) else path.__fspath__()


def listdir(folder="."):
    entries = _system.entries_of(folder)
    return _tensorvet.unknown("what is in a folder", "list") if entries is None else entries


def _nothing(*arguments, **options):
    return None


makedirs = mkdir = remove = unlink = rmdir = removedirs = rename = renames = replace = chdir = chmod = chown = _nothing
symlink = link = kill = nice = utime = close = fsync = sync = truncate = umask = setpgrp = setsid = register_at_fork = _nothing


def _number(*arguments, **options):
    return _tensorvet.unknown("a number of the system", "int")


getpid = getppid = getuid = getgid = cpu_count = system = open = write = fork = wait = getpgid = process_cpu_count = _number


def sched_getaffinity(pid):
    return _tensorvet.unknown("the processors of the system", "set")


def urandom(count):
    return _tensorvet.unknown("random bytes", "bytes")


def getlogin():
    return _tensorvet.unknown("the name of the user", "str")


def access(path, mode):
    return _system.is_there(path)


def walk(top, topdown=True, onerror=None, followlinks=False):
    return _tensorvet.unknown("the files of a folder")


def scandir(path="."):
    return _tensorvet.unknown("the files of a folder")


def stat(path, **options):
    return _tensorvet.unknown("facts of a file")


lstat = fstat = statvfs = stat


def popen(*arguments, **options):
    return _tensorvet.unknown("what another program says")


def uname():
    return _tensorvet.unknown("the name of the system")


def get_terminal_size(*arguments):
    return (80, 24)


def strerror(code):
    return _tensorvet.unknown("an error message", "str")


def _exit(code):
    raise SystemExit(code)


abort = _exit


class PathLike:
    @classmethod
    def __class_getitem__(cls, kind):
        return cls


def readlink(path):
    return _tensorvet.unknown("what a link points at", "str")


class DirEntry:
    pass


def cpu_count():
    return _tensorvet.symbol("cpus", 1, 4096, "the processors of the machine")
