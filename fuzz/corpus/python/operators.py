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
class A:
    def __add__(self, o): return NotImplemented
class B:
    def __radd__(self, o): return "B"
print(A() + B())
try:
    A() + 1
except TypeError as e:
    print(e)
class A:
    def __add__(self, o): return "A"
class B(A):
    def __radd__(self, o): return "B"
print(A() + B())
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
class N:
    def __init__(self, n): self.n = n
    def __lt__(self, o): return self.n < o.n
    def __repr__(self): return f"N{self.n}"
print(sorted([N(3), N(1), N(2)]), N(1) < N(2), N(1) > N(2), max(N(1), N(5)), min([N(4), N(2)]))
