# --- attributes of class and instance
class A:
    n = 1
a, b = A(), A()
a.n = 2
print(a.n, b.n, A.n, "n" in a.__dict__, vars(b))
A.n = 5
print(a.n, b.n)
# --- C3 order and cooperative super
class Base:
    def go(self): return ["Base"]
class Left(Base):
    def go(self): return ["Left"] + super().go()
class Right(Base):
    def go(self): return ["Right"] + super().go()
class Both(Left, Right):
    def go(self): return ["Both"] + super().go()
print(Both().go(), [c.__name__ for c in Both.__mro__], [c.__name__ for c in Both.mro()])
# --- inconsistent order
class A: pass
class B(A): pass
try:
    class C(A, B): pass
except TypeError:
    print("no order")
# --- super with arguments and in class methods
class A:
    @classmethod
    def make(cls, x): return (cls.__name__, x)
class B(A):
    @classmethod
    def make(cls, x): return super().make(x + 1)
print(B.make(1), super(B, B()).make(1))
# --- properties
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
# --- property without setter
class T:
    @property
    def v(self): return 1
try:
    T().v = 2
except AttributeError as e:
    print("AttributeError")
# --- static and class methods
class A:
    @staticmethod
    def s(x): return x + 1
    @classmethod
    def c(cls): return cls.__name__
class B(A): pass
print(A.s(1), B().s(2), B.c(), B().c())
# --- data descriptor and plain descriptor
class Typed:
    def __init__(self, kind): self.kind = kind
    def __set_name__(self, owner, name): self.name = "_" + name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        return getattr(obj, self.name)
    def __set__(self, obj, value):
        if not isinstance(value, self.kind): raise TypeError(self.name)
        setattr(obj, self.name, value)
class P:
    x = Typed(int)
    def __init__(self, x): self.x = x
p = P(3)
print(p.x, isinstance(P.x, Typed), p.__dict__)
try:
    p.x = "a"
except TypeError as e:
    print("refused", e)
# --- non data descriptor is hidden by the instance
class Lazy:
    def __init__(self, f): self.f = f
    def __get__(self, obj, owner):
        value = self.f(obj)
        obj.__dict__[self.f.__name__] = value
        return value
class A:
    calls = 0
    @Lazy
    def big(self):
        A.calls += 1
        return 42
a = A()
print(a.big, a.big, A.calls)
# --- getattr and getattribute hooks
class A:
    x = 1
    def __getattr__(self, name):
        if name.startswith("no"): raise AttributeError(name)
        return name.upper()
a = A()
print(a.x, a.abc, hasattr(a, "nope"), getattr(a, "none", 3))
# --- setattr hook
class A:
    def __setattr__(self, name, value):
        super().__setattr__(name, value + 1)
a = A()
a.x = 1
print(a.x)
# --- delattr
class A: pass
a = A()
a.x = 1
del a.x
try:
    del a.x
except AttributeError:
    print("gone")
# --- slots
class A:
    __slots__ = ("x",)
    def __init__(self): self.x = 1
print(A().x)
try:
    A().y = 2
except AttributeError:
    print("no y")
# --- new and init
class A:
    def __new__(cls, x):
        o = super().__new__(cls)
        o.made = x
        return o
    def __init__(self, x): self.x = x
a = A(3)
print(a.made, a.x)
# --- singleton
class One:
    held = None
    def __new__(cls):
        if cls.held is None: cls.held = super().__new__(cls)
        return cls.held
print(One() is One())
# --- subclass of built-in types
class D(dict):
    def __getattr__(self, k): return self[k]
    def __missing__(self, k): return k * 2
d = D(a=1)
print(d.a, d["zz"], len(d), isinstance(d, dict), d)
class L(list):
    def total(self): return sum(self)
l = L([1, 2, 3])
l.append(4)
print(l.total(), l[1:], len(l), l)
class I(int):
    def __add__(self, o): return I(int(self) + o + 100)
print(I(3) + 1, I(3) * 2, I(3) == 3)
class S(str):
    def shout(self): return self.upper() + "!"
print(S("ab").shout(), S("ab") + "c", len(S("ab")))
class T(tuple):
    def __new__(cls, *a): return super().__new__(cls, a)
print(T(1, 2), T(1, 2)[0], T(3)[0])
# --- init_subclass and registry
class Plugin:
    kinds = {}
    def __init_subclass__(cls, key=None, **more):
        super().__init_subclass__(**more)
        Plugin.kinds[key or cls.__name__] = cls
class A(Plugin): pass
class B(Plugin, key="bee"): pass
print(sorted(Plugin.kinds))
# --- metaclass with new, call and prepare of attributes
class Meta(type):
    def __new__(mcs, name, bases, space):
        space["tag"] = name.lower()
        return super().__new__(mcs, name, bases, space)
    def __call__(cls, *a):
        o = super().__call__(*a)
        o.called = True
        return o
class A(metaclass=Meta):
    def __init__(self, x): self.x = x
class B(A): pass
print(A.tag, B.tag, A(1).called, B(2).x, type(A).__name__)
# --- metaclass instance check
class Meta(type):
    def __instancecheck__(cls, o): return o == 3
class Three(metaclass=Meta): pass
print(isinstance(3, Three), isinstance(4, Three))
# --- classes made by type
A = type("A", (object,), {"x": 1, "f": lambda self: self.x + 1})
print(A().f(), A.__name__, type(A()) is A)
# --- abstract classes
from abc import ABC, abstractmethod
class Shape(ABC):
    @abstractmethod
    def area(self): ...
    @property
    @abstractmethod
    def name(self): ...
class Square(Shape):
    name = "square"
    def __init__(self, a): self.a = a
    def area(self): return self.a ** 2
print(Square(3).area(), Square(1).name)
try:
    Shape()
except TypeError as e:
    print("abstract")
class Half(Shape):
    def area(self): return 1
try:
    Half()
except TypeError as e:
    print("still abstract")
# --- private names
class A:
    def __init__(self): self.__x = 1
    def get(self): return self.__x
class B(A):
    def __init__(self):
        super().__init__()
        self.__x = 2
print(B().get(), sorted(B().__dict__))
# --- names of a class body
class A:
    a = 2
    b = [a * i for i in (1, 2)]
    def f(self): return self.a
print(A.b, A().f())
# --- nested classes
class Outer:
    class Inner:
        v = 3
    def get(self): return Outer.Inner.v + self.Inner.v
print(Outer().get())
# --- repr and str
class A:
    def __repr__(self): return "A!"
class B(A):
    def __str__(self): return "B?"
print(A(), [A()], B(), [B()], f"{B()!r} {B()}", str(A()))
# --- equality and hash
class P:
    def __init__(self, x): self.x = x
    def __eq__(self, o): return isinstance(o, P) and self.x == o.x
    def __hash__(self): return hash(self.x)
print(P(1) == P(1), P(1) != P(2), len({P(1), P(1), P(2)}), {P(1): "a"}[P(1)], P(3) in [P(3)])
# --- eq without hash
class P:
    def __eq__(self, o): return True
try:
    {P()}
except TypeError as e:
    print(e)
# --- missing attribute of object and class
class A: pass
for f in (lambda: A().x, lambda: A.x, lambda: (1).x, lambda: None.x):
    try:
        f()
    except AttributeError as e:
        print(e)
# --- takes no arguments
class A: pass
try:
    A(1)
except TypeError as e:
    print(e)
# --- bound methods
class A:
    def f(self, x): return x + 1
m = A().f
print(m(1), A.f(A(), 2), m.__name__, callable(m))
# --- isinstance and issubclass
class A: pass
class B(A): pass
print(isinstance(B(), (int, A)), issubclass(B, A), isinstance(True, int), issubclass(bool, int), isinstance(1, object), isinstance(B, type))
# --- class decorators
def add(cls):
    cls.extra = lambda self: 7
    return cls
@add
class A: pass
print(A().extra())
# --- a class of unions
print(isinstance(1, int | str), isinstance(1.0, int | str))
# --- method resolution with mixins
class Mixin:
    def hello(self): return "mixin " + self.name()
class Base:
    def name(self): return "base"
class C(Mixin, Base): pass
print(C().hello())
# --- class variables through subclasses
class A:
    items = []
class B(A): pass
B.items.append(1)
print(A.items, B.items is A.items)
# --- callable instances with state
class Adder:
    def __init__(self, n): self.n = n
    def __call__(self, x): return x + self.n
print(list(map(Adder(3), [1, 2])))
# --- contains iter len reversed
class Box:
    def __init__(self, *items): self.items = list(items)
    def __iter__(self): return iter(self.items)
    def __len__(self): return len(self.items)
    def __contains__(self, x): return x in self.items
    def __reversed__(self): return reversed(self.items)
    def __getitem__(self, i): return self.items[i]
    def __setitem__(self, i, v): self.items[i] = v
    def __delitem__(self, i): del self.items[i]
    def __bool__(self): return len(self.items) > 2
b = Box(1, 2, 3)
b[0] = 9
del b[1]
print(list(b), len(b), 3 in b, list(reversed(b)), b[-1], bool(b), b[0:1])
# --- iteration by getitem alone
class Seq:
    def __getitem__(self, i):
        if i > 3: raise IndexError
        return i * i
print(list(Seq()), 4 in Seq())
# --- object identity
a = []
b = a
print(a is b, a is not [], None is None)
