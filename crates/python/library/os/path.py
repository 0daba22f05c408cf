"""Paths as texts."""

import _system
import _tensorvet

sep, altsep, extsep, pardir, curdir, pathsep = "/", None, ".", "..", ".", ":"


def _text(path):
    return path if isinstance(path, str) else path.__fspath__()


def join(first, *rest):
    result = _text(first)
    for part in rest:
        part = _text(part)
        if part.startswith("/"):
            result = part
        elif not result or result.endswith("/"):
            result = result + part
        else:
            result = result + "/" + part
    return result


def split(path):
    path = _text(path)
    place = path.rfind("/") + 1
    head, tail = path[:place], path[place:]
    if head and head.strip("/"):
        head = head.rstrip("/")
    return head, tail


def basename(path):
    return split(path)[1]


def dirname(path):
    return split(path)[0]


def splitext(path):
    path = _text(path)
    name = path[path.rfind("/") + 1:]
    place = name.rfind(".")
    if place <= 0 or not name[:place].strip("."):
        return path, ""
    cut = len(path) - len(name) + place
    return path[:cut], path[cut:]


def normpath(path):
    path = _text(path)
    if not path:
        return "."
    start = "/" if path.startswith("/") else ""
    parts = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part != ".." or not start:
            parts.append(part)
    return (start + "/".join(parts)) or "."


def isabs(path):
    return _text(path).startswith("/")


def abspath(path):
    path = _text(path)
    return normpath(path if isabs(path) else join(_system.folder(), path))


def realpath(path, **options):
    return abspath(path)


def expanduser(path):
    path = _text(path)
    return path if not path.startswith("~") else _tensorvet.unknown("a folder of the user", "str")


def expandvars(path):
    path = _text(path)
    return path if "$" not in path else _tensorvet.unknown("a path with variables", "str")


def normcase(path):
    return _text(path)


def relpath(path, start="."):
    here, there = abspath(start).split("/"), abspath(path).split("/")
    common = 0
    while common < min(len(here), len(there)) and here[common] == there[common]:
        common += 1
    return "/".join([".."] * (len(here) - common) + there[common:]) or "."


def commonprefix(paths):
    if not paths:
        return ""
    low, high = min(paths), max(paths)
    for place, letter in enumerate(low):
        if letter != high[place]:
            return low[:place]
    return low


def commonpath(paths):
    return _tensorvet.unknown("a common path", "str")


def exists(path):
    return _system.is_there(path)


lexists = exists


def isfile(path):
    return _system.is_there(path, "file")


def isdir(path):
    return _system.is_there(path, "folder")


def islink(path):
    return _tensorvet.unknown("whether a file is a link", "bool")


ismount = islink


def samefile(a, b):
    return _tensorvet.unknown("whether two files are one", "bool")


def getsize(path):
    return _tensorvet.unknown("the size of a file", "int")


def getmtime(path):
    return _tensorvet.unknown("when a file was changed", "float")


getatime = getctime = getmtime


def splitdrive(path):
    return "", path
