"""Images by their size and mode."""

import _tensorvet


class UnidentifiedImageError(OSError):
    pass


def __getattr__(name):
    return _tensorvet.unknown(f"`PIL.{name}`")
