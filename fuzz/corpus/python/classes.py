class A:
    n = 1
a, b = A(), A()
a.n = 2
print(a.n, b.n, A.n, "n" in a.__dict__, vars(b))
A.n = 5
print(a.n, b.n)
class Base:
    def go(self): return ["Base"]
class Left(Base):
    def go(self): return ["Left"] + super().go()
class Right(Base):
    def go(self): return ["Right"] + super().go()
class Both(Left, Right):
    def go(self): return ["Both"] + super().go()
print(Both().go(), [c.__name__ for c in Both.__mro__], [c.__name__ for c in Both.mro()])
class A: pass
class B(A): pass
try:
    class C(A, B): pass
except TypeError:
    print("no order")
class A:
    @classmethod
    def make(cls, x): return (cls.__name__, x)
class B(A):
    @classmethod
    def make(cls, x): return super().make(x + 1)
print(B.make(1), super(B, B()).make(1))
class T:
    def __init__(self): self._v = 0
    @property
    def v(self):
        "doc"
        return self._v
    @v.setter
    def v(self, x): self._v = x * 2
    @v.deleter
    def v(self): self._v = None
t = T()
t.v = 4
print(t.v)
t.v += 1
print(t.v)
del t.v
print(t.v)
class T:
    @property
    def v(self): return 1
try:
    T().v = 2
except AttributeError as e:
    print("AttributeError")
