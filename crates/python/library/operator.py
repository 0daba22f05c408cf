"""Operators as functions."""


def add(a, b): return a + b
def sub(a, b): return a - b
def mul(a, b): return a * b
def truediv(a, b): return a / b
def floordiv(a, b): return a // b
def mod(a, b): return a % b
def pow(a, b): return a ** b
def matmul(a, b): return a @ b
def and_(a, b): return a & b
def or_(a, b): return a | b
def xor(a, b): return a ^ b
def lshift(a, b): return a << b
def rshift(a, b): return a >> b
def neg(a): return -a
def pos(a): return +a
def inv(a): return ~a
def not_(a): return not a
def truth(a): return bool(a)
def abs(a): return a if a >= 0 else -a
def eq(a, b): return a == b
def ne(a, b): return a != b
def lt(a, b): return a < b
def le(a, b): return a <= b
def gt(a, b): return a > b
def ge(a, b): return a >= b
def is_(a, b): return a is b
def is_not(a, b): return a is not b
def contains(a, b): return b in a
def concat(a, b): return a + b
def index(a): return a.__index__()
def getitem(a, b): return a[b]
def countOf(a, b): return sum(1 for value in a if value == b)


def setitem(a, b, c):
    a[b] = c


def delitem(a, b):
    del a[b]


def iadd(a, b):
    a += b
    return a


def imul(a, b):
    a *= b
    return a


invert = inv
__add__, __sub__, __mul__, __truediv__, __floordiv__, __mod__ = add, sub, mul, truediv, floordiv, mod
__eq__, __ne__, __lt__, __le__, __gt__, __ge__ = eq, ne, lt, le, gt, ge
__getitem__, __setitem__, __contains__, __neg__, __not__ = getitem, setitem, contains, neg, not_


class itemgetter:
    def __init__(self, *items):
        self.items = items

    def __call__(self, value):
        if len(self.items) == 1:
            return value[self.items[0]]
        return tuple(value[item] for item in self.items)


class attrgetter:
    def __init__(self, *names):
        self.names = names

    def one(self, value, name):
        for part in name.split("."):
            value = getattr(value, part)
        return value

    def __call__(self, value):
        if len(self.names) == 1:
            return self.one(value, self.names[0])
        return tuple(self.one(value, name) for name in self.names)


class methodcaller:
    def __init__(self, name, /, *arguments, **options):
        self.name, self.arguments, self.options = name, arguments, options

    def __call__(self, value):
        return getattr(value, self.name)(*self.arguments, **self.options)


def length_hint(value, default=0):
    return len(value) if hasattr(value, "__len__") else default
