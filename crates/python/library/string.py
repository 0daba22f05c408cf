"""Letters."""

ascii_lowercase = "abcdefghijklmnopqrstuvwxyz"
ascii_uppercase = ascii_lowercase.upper()
ascii_letters = ascii_lowercase + ascii_uppercase
digits = "0123456789"
hexdigits, octdigits = digits + "abcdefABCDEF", "01234567"
punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
whitespace = " \t\n\r\v\f"
printable = digits + ascii_letters + punctuation + whitespace


def capwords(text, sep=None):
    return (sep or " ").join(word.capitalize() for word in text.split(sep))


class Template:
    def __init__(self, template):
        self.template = template

    def substitute(self, mapping=(), /, **more):
        import re

        known = {**dict(mapping), **more}
        return re.sub(r"\$(?:(\$)|\{(\w+)\}|(\w+))", lambda m: "$" if m[1] else str(known[m[2] or m[3]]), self.template)

    def safe_substitute(self, mapping=(), /, **more):
        import re

        known = {**dict(mapping), **more}

        def one(found):
            name = found[2] or found[3]
            return "$" if found[1] else str(known[name]) if name in known else found[0]

        return re.sub(r"\$(?:(\$)|\{(\w+)\}|(\w+))", one, self.template)


class Formatter:
    def format(self, text, /, *arguments, **options):
        return text.format(*arguments, **options)

    def vformat(self, text, arguments, options):
        return text.format(*arguments, **options)
