"""Files are not moved, copied or removed."""

import _tensorvet


def _target(source, target=None, *arguments, **options):
    return target


copy = copy2 = copyfile = copytree = move = copymode = copystat = copyfileobj = _target


def rmtree(path, *arguments, **options):
    return None


def which(name, *arguments, **options):
    return _tensorvet.unknown("where a program is")


def disk_usage(path):
    return _tensorvet.unknown("the space of a disk")


def get_terminal_size(fallback=(80, 24)):
    return fallback


def make_archive(name, *arguments, **options):
    return name


def unpack_archive(*arguments, **options):
    return None


class Error(OSError):
    pass


SameFileError = Error
