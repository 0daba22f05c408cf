"""Texts in lines."""


def dedent(text):
    lines = text.split("\n")
    margin = None
    for line in lines:
        if line.strip():
            own = line[:len(line) - len(line.lstrip())]
            margin = own if margin is None else _common(margin, own)
    margin = margin or ""
    return "\n".join(line[len(margin):] if line.strip() else "" for line in lines)


def _common(a, b):
    place = 0
    while place < min(len(a), len(b)) and a[place] == b[place]:
        place += 1
    return a[:place]


def indent(text, prefix, predicate=None):
    lines = text.split("\n")
    wanted = predicate or (lambda line: line.strip())
    return "\n".join(prefix + line if wanted(line) else line for line in lines)


def wrap(text, width=70, **options):
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return lines + [line] if line else lines


def fill(text, width=70, **options):
    return "\n".join(wrap(text, width))


def shorten(text, width, placeholder=" [...]", **options):
    text = " ".join(text.split())
    if len(text) <= width:
        return text
    while text and len(text) + len(placeholder) > width:
        text = text.rpartition(" ")[0]
    return text + placeholder
