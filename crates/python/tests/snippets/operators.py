# --- arithmetic dunders and their mirrors
class V:
    def __init__(self, x): self.x = x
    def __add__(self, o): return V(self.x + (o.x if isinstance(o, V) else o))
    __radd__ = __add__
    def __sub__(self, o): return V(self.x - o)
    def __rsub__(self, o): return V(o - self.x)
    def __mul__(self, o): return V(self.x * o)
    def __truediv__(self, o): return V(self.x / o)
    def __floordiv__(self, o): return V(self.x // o)
    def __mod__(self, o): return V(self.x % o)
    def __pow__(self, o): return V(self.x ** o)
    def __rpow__(self, o): return V(o ** self.x)
    def __matmul__(self, o): return "mat"
    def __neg__(self): return V(-self.x)
    def __pos__(self): return V(+self.x)
    def __invert__(self): return V(~self.x)
    def __abs__(self): return V(abs(self.x))
    def __and__(self, o): return "and"
    def __or__(self, o): return "or"
    def __xor__(self, o): return "xor"
    def __lshift__(self, o): return "shl"
    def __rshift__(self, o): return "shr"
    def __divmod__(self, o): return "divmod"
    def __round__(self, n=0): return f"round {n}"
    def __repr__(self): return f"V({self.x})"
a = V(7)
print(a + 1, 1 + a, a + V(2), a - 1, 10 - a, a * 2, a / 2, a // 2, a % 4, a ** 2, 2 ** a)
print(a @ a, -a, +a, ~a, abs(V(-3)), a & 1, a | 1, a ^ 1, a << 1, a >> 1, divmod(a, 2), round(a), round(a, 2))
print(sum([V(1), V(2)]))
# --- NotImplemented falls through to the other side
class A:
    def __add__(self, o): return NotImplemented
class B:
    def __radd__(self, o): return "B"
print(A() + B())
try:
    A() + 1
except TypeError as e:
    print(e)
# --- subclass on the right goes first
class A:
    def __add__(self, o): return "A"
class B(A):
    def __radd__(self, o): return "B"
print(A() + B())
# --- in place
class A:
    def __init__(self): self.log = []
    def __iadd__(self, o):
        self.log.append(o)
        return self
a = A()
a += 1
a += 2
print(a.log)
x = [1]
y = x
y += [2]
print(x)
s = (1,)
t = s
t += (2,)
print(s, t)
# --- in place on dict, set and attributes
d = {"a": 1}
d |= {"b": 2}
s = {1}
s |= {2}
s -= {1}
s ^= {5}
print(d, sorted(s))
class A: n = 1
a = A()
a.n += 5
l = [1, 2]
l[0] *= 10
print(a.n, A.n, l)
# --- comparisons of all kinds
class N:
    def __init__(self, n): self.n = n
    def __lt__(self, o): return self.n < o.n
    def __repr__(self): return f"N{self.n}"
print(sorted([N(3), N(1), N(2)]), N(1) < N(2), N(1) > N(2), max(N(1), N(5)), min([N(4), N(2)]))
# --- total ordering
from functools import total_ordering
@total_ordering
class N:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return self.n == o.n
    def __lt__(self, o): return self.n < o.n
print(N(1) <= N(1), N(2) >= N(3), N(2) > N(1))
# --- chained comparison evaluates once
log = []
def f(x):
    log.append(x)
    return x
print(f(1) < f(2) < f(3), f(3) < f(1) < f(9), log)
# --- integers
print(7 // 2, -7 // 2, 7 // -2, -7 % 3, 7 % -3, 2 ** 10, 2 ** -1, 5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 4, -9 >> 1, 10 / 4)
print(divmod(-7, 3), divmod(7, -3), abs(-4), pow(2, 5), pow(3, 4, 5), (-3).bit_length(), int("12"), int("ff", 16), int("-0b11", 0), int(3.9), int(-3.9))
# --- floats
print(0.1 + 0.2, 1e16, 1e15, 1.5e-7, 3.0, -0.0, 1e300 * 1e10, 2.5 // 1, -2.5 // 1, -2.5 % 2, 5.5 % -2, 7.0 / 2, 2.0 ** 0.5)
print(round(2.5), round(3.5), round(2.675, 2), round(-1.5), round(1234.5, -2), round(7), round(1234, -2), float("1e3"), float("-inf"), float("nan") != float("nan"))
print((2.0).is_integer(), (0.5).as_integer_ratio(), float(3), int(1e3), 3 == 3.0, 1 < 1.5, True + True)
# --- bool
print(True and 0, 0 or "x", not [], bool({}), bool("a"), True & False, True | False, True ^ True, not 3)
# --- bool operators return operands
print([] or {} or 0, 1 and 2 and 3, None or "d", "" and 1)
# --- identity and membership
print(None is None, 1 in [1, 2], "b" in "abc", 3 not in (1, 2), "k" in {"k": 1}, 2 in {1, 2}, 5 in range(10), 5 in range(0, 10, 2))
# --- zero division
for f in (lambda: 1 / 0, lambda: 1 // 0, lambda: 1 % 0, lambda: 1.0 / 0, lambda: divmod(1, 0)):
    try:
        f()
    except ZeroDivisionError as e:
        print("ZeroDivisionError")
# --- wrong types
for f in (lambda: 1 + "a", lambda: "a" + 1, lambda: [1] + (2,), lambda: {} + {}, lambda: None + 1, lambda: "a" * "b", lambda: -"a", lambda: 1 < "a", lambda: [] < 1, lambda: len(3), lambda: 3[0]):
    try:
        f()
    except TypeError as e:
        print(e)
# --- sequences times numbers
print([0] * 3, "ab" * 2, (1, 2) * 2, 2 * [1], [1] * 0, [1] * -1)
# --- comparing sequences
print([1, 2] < [1, 3], (1, 2) < (1, 2, 0), [1, 2] == [1, 2], (1,) == [1], "a" < "b", "abc" > "abd", [1, "a"] == [1, "a"])
# --- conversions
print(int(True), float("2.5"), str(1.0), bool(0.0), list("ab"), tuple([1]), dict([("a", 1)]), set("a"))
for t in ("x", "1.5", ""):
    try:
        int(t)
    except ValueError as e:
        print(e)
try:
    float("x")
except ValueError as e:
    print(e)
# --- big numbers stay exact or unknown
print(10 ** 15 + 1, 2 ** 62)
# --- number methods and constants
print((5).bit_count(), (255).to_bytes(2, "big"), int.from_bytes(b"\x01\x00", "big"), (3).__add__(4), hex(255), bin(5), oct(8), chr(97), ord("a"))
# --- hash and eq of numbers as keys
d = {1: "a"}
d[True] = "b"
d[1.0] = "c"
print(d)
# --- unary chains
print(--3, not not 3, ~-1, -2 ** 2)
# --- conditional expressions nest
f = lambda x: "neg" if x < 0 else "zero" if x == 0 else "pos"
print(f(-1), f(0), f(1))
# --- walrus
if (n := len([1, 2, 3])) > 2:
    print(n)
print([y for x in range(5) if (y := x * 2) > 4], y)
while (n := n - 1) > 0:
    pass
print(n)
# --- star assignments
a, *b = [1, 2, 3]
*c, d = "xyz"
e, (f, *g), h = 1, (2, 3, 4), 5
print(a, b, c, d, e, f, g, h)
[i, j] = 1, 2
print(i, j)
a = b = []
a.append(1)
print(b)
x, y = 1, 2
x, y = y, x
print(x, y)
# --- unpacking errors
for f in (lambda: [a for a, b in [(1,)]], lambda: [a for a, b in [(1, 2, 3)]], lambda: [a for a, b in [3]]):
    try:
        f()
    except (ValueError, TypeError) as e:
        print(type(e).__name__)
# --- star expressions in displays
a = [1, 2]
print([*a, 3, *a], (*a,), {*a, 1}, {**{"x": 1}, "y": 2, **{"x": 3}})
# --- index dunder
class I:
    def __index__(self): return 1
print([1, 2, 3][I()], list(range(I())), "abc"[I():])
# --- int and float dunders
class X:
    def __int__(self): return 4
    def __float__(self): return 2.5
    def __bool__(self): return False
    def __len__(self): return 9
print(int(X()), float(X()), bool(X()), len(X()))
# --- str of numbers round trip
print(1e22, 1e21, 123456789.123, 1/3, 100.0, 1e-5, 0.0001, 12345678901234567.0)
