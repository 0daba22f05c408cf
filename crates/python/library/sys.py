"""The interpreter as the program sees it."""

import _system
import _tensorvet

argv = _tensorvet.arguments()
maxsize = 9223372036854775807
byteorder = "little"
platform = "linux"
version = "3.12.0"
copyright = "Python"
executable = _tensorvet.unknown("where Python is", "str")
prefix = exec_prefix = base_prefix = _tensorvet.unknown("where Python is", "str")
path = []
path_hooks, meta_path = [], []


class _Modules(dict):
    """What was imported is here; what else is, only the run will tell."""

    def __missing__(self, name):
        found = _system.loaded(name)
        return _tensorvet.unknown(f"the module `{name}`") if found is None else found

    def __contains__(self, name):
        if dict.__contains__(self, name) or _system.loaded(name) is not None:
            return True
        return _tensorvet.unknown("whether a module is imported", "bool")

    def get(self, name, default=None):
        return self[name]


modules = _Modules()
builtin_module_names = ()
hexversion = 0x030C00F0
maxunicode = 1114111
float_repr_style = "short"
dont_write_bytecode = False
flags = _system.harmless("sys.flags")
warnoptions = []
ps1 = None
del ps1


class _Version(tuple):
    major, minor, micro, releaselevel, serial = 3, 12, 0, "final", 0


version_info = _Version((3, 12, 0, "final", 0))


class _Implementation:
    name = "cpython"
    version = version_info


implementation = _Implementation()


class _FloatInfo:
    max, min, epsilon = 1.7976931348623157e308, 2.2250738585072014e-308, 2.220446049250313e-16
    dig, mant_dig, radix = 15, 53, 2


float_info = _FloatInfo()


class _Stream:
    encoding = "utf-8"
    name = "<stream>"

    def write(self, text):
        return len(text)

    def writelines(self, lines):
        return None

    def flush(self):
        return None

    close = flush

    def isatty(self):
        return False

    def fileno(self):
        return 1

    def reconfigure(self, **options):
        return None

    def read(self, *size):
        return _tensorvet.unknown("what the user types", "str")

    readline = read

    def __iter__(self):
        return iter(_tensorvet.unknown("what the user types"))


stdout = stderr = stdin = __stdout__ = __stderr__ = _Stream()


def exit(code=None, /):
    raise SystemExit(code)


def getrecursionlimit():
    return 1000


def setrecursionlimit(limit):
    return None


def getsizeof(thing, default=0):
    return _tensorvet.unknown("the memory of an object", "int")


def getrefcount(thing):
    return _tensorvet.unknown("how often an object is used", "int")


def exc_info():
    error = _system.handled()
    return (None, None, None) if error is None else (type(error), error, error.__traceback__)


def intern(text):
    return text


def getdefaultencoding():
    return "utf-8"


getfilesystemencoding = getdefaultencoding


def settrace(function):
    return None


setprofile = settrace


def gettrace():
    return None


def excepthook(kind, value, trace):
    return None


def displayhook(value):
    return None


def getwindowsversion():
    return _tensorvet.unknown("a version")


def _getframe(depth=0):
    return _tensorvet.unknown("a frame of the interpreter")
