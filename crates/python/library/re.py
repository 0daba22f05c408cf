"""Regular expressions."""

import _system
import _tensorvet
from enum import IntFlag


class RegexFlag(IntFlag):
    NOFLAG = 0
    IGNORECASE = 2
    LOCALE = 4
    MULTILINE = 8
    DOTALL = 16
    UNICODE = 32
    VERBOSE = 64
    DEBUG = 128
    ASCII = 256


NOFLAG, IGNORECASE, LOCALE, MULTILINE, DOTALL, UNICODE, VERBOSE, DEBUG, ASCII = 0, 2, 4, 8, 16, 32, 64, 128, 256
I, L, M, S, U, X, A = IGNORECASE, LOCALE, MULTILINE, DOTALL, UNICODE, VERBOSE, ASCII


class error(Exception):
    pass


PatternError = error


class Match:
    def __init__(self, pattern, text, spans):
        self.re, self.string, self._spans = pattern, text, spans
        self.pos, self.endpos = 0, len(text)

    def _number(self, group):
        if isinstance(group, str):
            if group not in self.re.groupindex:
                raise IndexError("no such group")
            return self.re.groupindex[group]
        if group < 0 or group >= len(self._spans):
            raise IndexError("no such group")
        return group

    def _one(self, group, default=None):
        span = self._spans[self._number(group)]
        return default if span is None else self.string[span[0]:span[1]]

    def group(self, *groups):
        if not groups:
            groups = (0,)
        found = tuple(self._one(group) for group in groups)
        return found[0] if len(found) == 1 else found

    __getitem__ = group

    def groups(self, default=None):
        return tuple(self._one(group, default) for group in range(1, len(self._spans)))

    def groupdict(self, default=None):
        return {name: self._one(number, default) for name, number in self.re.groupindex.items()}

    def span(self, group=0):
        span = self._spans[self._number(group)]
        return (-1, -1) if span is None else span

    def start(self, group=0):
        return self.span(group)[0]

    def end(self, group=0):
        return self.span(group)[1]

    @property
    def lastindex(self):
        set_groups = [number for number in range(1, len(self._spans)) if self._spans[number] is not None]
        return set_groups[-1] if set_groups else None

    def expand(self, template):
        return _filled(template, self)

    def __bool__(self):
        return True

    def __repr__(self):
        return f"<re.Match object; span={self.span()}, match={self.group()!r}>"


def _filled(template, match):
    if callable(template):
        return template(match)
    if "\\" not in template:
        return template
    result, place = "", 0
    while place < len(template):
        letter = template[place]
        if letter != "\\" or place + 1 == len(template):
            result, place = result + letter, place + 1
            continue
        after = template[place + 1]
        if after == "g":
            end = template.find(">", place)
            name = template[place + 3:end]
            result += match._one(int(name) if name.isdigit() else name, "")
            place = end + 1
        elif after.isdigit():
            result, place = result + match._one(int(after), ""), place + 2
        else:
            result += {"n": "\n", "t": "\t", "\\": "\\"}.get(after, "\\" + after)
            place += 2
    return result


class Pattern:
    def __init__(self, pattern, flags=0):
        self.pattern, self.flags = pattern, int(flags)
        letters = ((IGNORECASE, "i"), (MULTILINE, "m"), (DOTALL, "s"), (VERBOSE, "x"))
        self._letters = "".join(letter for bit, letter in letters if self.flags & bit)
        self.groupindex = _system.groups(pattern, self._letters)

    def _found(self, pattern, text, start):
        if not isinstance(text, str):
            raise TypeError(f"expected string or bytes-like object, got '{type(text).__name__}'")
        spans = _system.search(pattern, self._letters, text, start)
        if spans is False:
            return _tensorvet.unknown("what a pattern matches")
        return None if spans is None else Match(self, text, spans)

    @property
    def groups(self):
        return _tensorvet.unknown("how many groups a pattern has", "int")

    def search(self, text, pos=0, endpos=None):
        return self._found(self.pattern, text, pos)

    def match(self, text, pos=0, endpos=None):
        found = self._found(f"\\G(?:{self.pattern})" if pos else f"\\A(?:{self.pattern})", text, pos)
        return found

    def fullmatch(self, text, pos=0, endpos=None):
        return self._found(f"\\A(?:{self.pattern})\\Z", text, pos)

    def finditer(self, text, pos=0, endpos=None):
        while pos <= len(text):
            found = self.search(text, pos)
            if found is None:
                return
            if _tensorvet.is_unknown(found):
                yield found
                return
            yield found
            pos = found.end() + 1 if found.end() == found.start() else found.end()

    def findall(self, text, pos=0, endpos=None):
        results = []
        for found in self.finditer(text, pos):
            if _tensorvet.is_unknown(found):
                return found
            groups = found.groups("")
            results.append(found.group() if not groups else groups[0] if len(groups) == 1 else groups)
        return results

    def split(self, text, maxsplit=0):
        parts, place = [], 0
        for found in self.finditer(text):
            if _tensorvet.is_unknown(found):
                return found
            if maxsplit and len(parts) >= maxsplit:
                break
            parts.append(text[place:found.start()])
            parts.extend(found.groups())
            place = found.end()
        parts.append(text[place:])
        return parts

    def subn(self, repl, text, count=0):
        result, place, done = "", 0, 0
        for found in self.finditer(text):
            if _tensorvet.is_unknown(found):
                return _tensorvet.unknown("a text after replacing", "str"), _tensorvet.unknown("how often", "int")
            if count and done >= count:
                break
            result += text[place:found.start()] + _filled(repl, found)
            place = found.end()
            done += 1
        return result + text[place:], done

    def sub(self, repl, text, count=0):
        return self.subn(repl, text, count)[0]

    def __repr__(self):
        return f"re.compile({self.pattern!r})"


def compile(pattern, flags=0):
    return pattern if isinstance(pattern, Pattern) else Pattern(pattern, flags)


def search(pattern, string, flags=0):
    return compile(pattern, flags).search(string)


def match(pattern, string, flags=0):
    return compile(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    return compile(pattern, flags).fullmatch(string)


def findall(pattern, string, flags=0):
    return compile(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    return compile(pattern, flags).finditer(string)


def split(pattern, string, maxsplit=0, flags=0):
    return compile(pattern, flags).split(string, maxsplit)


def sub(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).subn(repl, string, count)


def escape(text):
    return "".join("\\" + letter if letter in "()[]{}?*+-|^$\\.&~# \t\n\r\v\f" else letter for letter in text)


def purge():
    return None
