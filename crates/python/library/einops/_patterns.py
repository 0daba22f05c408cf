"""Patterns of axes: `b c (h p) w -> b (h w) (p c)`."""


class EinopsError(RuntimeError):
    pass


ELLIPSIS = "…"


class Side:
    """One side of a pattern: for each axis of the tensor the names that it is made of."""

    def __init__(self, text, allow_underscore=False):
        self.text = text.strip()
        self.groups, self.names, self.numbers = [], [], []
        self.has_ellipsis, self.is_inside = False, False
        self._allow_underscore = allow_underscore
        if "." in text:
            if text.count("...") != 1 or text.count(".") != 3:
                raise EinopsError("dots stand for the other axes, three of them and once: " + repr(self.text))
            text = text.replace("...", " " + ELLIPSIS + " ")
            self.has_ellipsis = True
        open_group, word = None, ""
        for letter in text + " ":
            if letter not in "() ":
                word = word + letter
                continue
            if word:
                self._add(word, open_group)
                word = ""
            if letter == "(":
                if open_group is not None:
                    raise EinopsError("brackets stand inside brackets: " + repr(self.text))
                open_group = []
            elif letter == ")":
                if open_group is None:
                    raise EinopsError("a bracket is closed that was not opened: " + repr(self.text))
                self.groups.append(open_group)
                open_group = None
        if open_group is not None:
            raise EinopsError("a bracket is not closed: " + repr(self.text))

    def _add(self, word, group):
        if word == ELLIPSIS:
            self.is_inside = group is not None
            self.names.append(word)
        elif word.isdecimal():
            number = int(word)
            if number == 0:
                raise EinopsError("no axis has the size 0 in a pattern: " + repr(self.text))
            if number == 1:
                if group is None:
                    self.groups.append([])
                return
            # Each number is an axis of its own, which no name refers to.
            word = (number, len(self.numbers))
            self.numbers.append(word)
        else:
            if not word.isidentifier():
                raise EinopsError(repr(word) + " is no name of an axis: " + repr(self.text))
            if (word[0] == "_" or word[-1] == "_") and not (word == "_" and self._allow_underscore):
                raise EinopsError("the name of an axis does not begin or end with `_`, and this is " + repr(word))
            if word in self.names:
                raise EinopsError("the axis " + repr(word) + " stands twice on one side: " + repr(self.text))
            self.names.append(word)
        if group is None:
            self.groups.append([word])
        else:
            group.append(word)

    def elements(self):
        return [word for group in self.groups for word in group]


def shown(group):
    """A group as it is written."""
    words = ["..." if word == ELLIPSIS else str(word[0]) if isinstance(word, tuple) else word for word in group]
    return words[0] if len(words) == 1 else "(" + " ".join(words) + ")"


def _listed(names):
    return ", ".join([repr("..." if name == ELLIPSIS else name) for name in names])


def sides(pattern, operation, lengths):
    """Both sides of a pattern that an operation takes."""
    if pattern.count("->") != 1:
        raise EinopsError("a pattern has two sides with one `->` between them, and this is " + repr(pattern))
    left, right = [Side(part) for part in pattern.split("->")]
    if not left.has_ellipsis and right.has_ellipsis:
        raise EinopsError("dots stand on the right side only: " + repr(pattern))
    if left.has_ellipsis and left.is_inside:
        raise EinopsError("dots stand in brackets on the left side: " + repr(pattern))
    gone = [name for name in left.names if name not in right.names]
    new = [name for name in right.names if name not in left.names]
    if operation == "rearrange":
        if left.numbers or right.numbers:
            raise EinopsError("a number other than 1 stands for no axis in rearrange: " + repr(pattern))
        if gone or new:
            raise EinopsError("rearrange keeps every axis, and " + _listed(gone + new) + " stands on one side only: " + repr(pattern))
    elif operation == "repeat":
        if gone or left.numbers:
            raise EinopsError("repeat keeps every axis, and " + _listed(gone + [number[0] for number in left.numbers]) + " stands on the left side only: " + repr(pattern))
        unsized = [name for name in new if name not in lengths]
        if unsized:
            raise EinopsError("repeat makes the axis " + _listed(unsized) + ", of which no size is given: " + repr(pattern))
    else:
        if new or right.numbers:
            raise EinopsError("reduce makes no axes, and " + _listed(new + [number[0] for number in right.numbers]) + " stands on the right side only: " + repr(pattern))
    for name in lengths:
        if name not in left.names and name not in right.names:
            raise EinopsError("a size is given for " + repr(name) + ", which the pattern does not have: " + repr(pattern))
    return left, right
