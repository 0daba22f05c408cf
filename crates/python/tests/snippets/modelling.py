# --- dataclasses
from dataclasses import dataclass, field, asdict, replace, fields, astuple
@dataclass
class P:
    x: int
    y: int = 2
    tags: list = field(default_factory=list)
p, q = P(1), P(1, tags=["a"])
p.tags.append("z")
print(p, q, p == P(1, 2, ["z"]), asdict(p), astuple(p), replace(p, x=9), [f.name for f in fields(P)])
try:
    P()
except TypeError as e:
    print(e)
# --- dataclass inheritance and post init
from dataclasses import dataclass, field
@dataclass
class A:
    a: int
    b: int = 1
@dataclass
class B(A):
    c: int = 3
    d: int = field(init=False)
    def __post_init__(self): self.d = self.a + self.c
print(B(1), B(1, 2, 4).d)
# --- frozen and ordered
from dataclasses import dataclass, FrozenInstanceError
@dataclass(frozen=True, order=True)
class V:
    a: int
    b: str = "x"
print(V(1) < V(2), sorted([V(2), V(1, "b")]), hash(V(1)) == hash(V(1)), {V(1): 1}[V(1)])
try:
    V(1).a = 3
except FrozenInstanceError:
    print("frozen")
# --- keyword only, class variables and init only
from dataclasses import dataclass, field, InitVar, KW_ONLY
from typing import ClassVar
@dataclass
class C:
    k: ClassVar[int] = 5
    a: int = 1
    _: KW_ONLY
    b: int = 2
    s: InitVar[int] = 3
    h: int = field(default=4, repr=False, compare=False)
    def __post_init__(self, s): self.total = self.a + s
print(C(2, b=3, s=10), C(2, s=10).total, C.k, C(h=1) == C(h=2))
# --- dataclass with methods and properties
from dataclasses import dataclass
@dataclass
class Config:
    lr: float = 0.1
    layers: tuple = (1, 2)
    @property
    def depth(self): return len(self.layers)
    @classmethod
    def small(cls): return cls(layers=(1,))
print(Config().depth, Config.small(), Config(lr=1e-3))
# --- namedtuple of collections
from collections import namedtuple
P = namedtuple("P", "x y")
p = P(1, y=2)
print(p, p.x, p[1], p._asdict(), p._replace(x=5), P._fields, len(p), p == (1, 2), P._make([3, 4]))
x, y = p
Q = namedtuple("Q", ["a", "b"], defaults=[7])
print(x + y, Q(1), isinstance(p, tuple))
# --- NamedTuple of typing
from typing import NamedTuple
class P(NamedTuple):
    x: int
    y: int = 3
    def total(self): return self.x + self.y
p = P(1)
print(p, p.total(), p._asdict(), tuple(p), P(1, 2) < P(2, 0), {P(1, 2): "k"}[(1, 2)])
# --- enum
from enum import Enum, IntEnum, auto, Flag
class Color(Enum):
    RED = 1
    GREEN = "g"
    ALIAS = 1
    @property
    def shout(self): return self.name + "!"
    @classmethod
    def default(cls): return cls.RED
print(Color.RED, repr(Color.GREEN), Color.RED.value, Color.RED.name, Color("g"), Color["RED"], Color.ALIAS is Color.RED, list(Color), len(Color), Color.RED == 1, Color.RED in Color, Color.RED.shout, Color.default(), isinstance(Color.RED, Color), {Color.RED: 1}[Color.RED])
try:
    Color(9)
except ValueError as e:
    print(e)
# --- int enum, auto and members
from enum import Enum, IntEnum, auto
class N(IntEnum):
    A = auto()
    B = auto()
class S(str, Enum):
    X = "x"
print(N.A + 1, N.B > N.A, N(2).name, [m.value for m in N], S.X == "x", S.X.value, S("x").name, N.__members__["A"].value, sorted([N.B, N.A]))
# --- enum with init and methods
from enum import Enum
class Planet(Enum):
    EARTH = (1.0, 2.0)
    MARS = (3.0, 4.0)
    def __init__(self, m, r): self.m, self.r = m, r
    def ratio(self): return self.m / self.r
print(Planet.MARS.ratio(), Planet.EARTH.value, Planet((1.0, 2.0)).name)
# --- typing is transparent
from typing import List, Dict, Optional, Union, Tuple, Any, Callable, TypeVar, Generic, Iterable, cast, Literal, Protocol, TYPE_CHECKING, overload, Final
T = TypeVar("T")
class Stack(Generic[T]):
    def __init__(self) -> None: self.items: List[T] = []
    def push(self, x: T) -> "Stack[T]":
        self.items.append(x)
        return self
s: Stack[int] = Stack[int]()
print(s.push(1).items, cast(int, "x"), TYPE_CHECKING, Stack().push("a").items)
class Proto(Protocol):
    def f(self) -> int: ...
def g(x: Optional[Dict[str, Tuple[int, ...]]] = None, *y: Union[int, str]) -> Callable[..., Any]: return x
print(g())
# --- properties cached
from functools import cached_property
class A:
    n = 0
    @cached_property
    def v(self):
        A.n += 1
        return 5
a = A()
print(a.v, a.v, A.n)
# --- simple namespace
from types import SimpleNamespace
n = SimpleNamespace(a=1, b="x")
n.c = 3
print(n.a, n, vars(n), n == SimpleNamespace(a=1, b="x", c=3))
# --- getattr setattr delattr hasattr
class A: pass
a = A()
setattr(a, "x", 1)
print(getattr(a, "x"), getattr(a, "y", 2), hasattr(a, "x"), hasattr(a, "z"))
delattr(a, "x")
try:
    getattr(a, "x")
except AttributeError as e:
    print(e)
# --- dir, vars and type
class A:
    k = 1
    def f(self): pass
a = A()
a.z = 1
print([n for n in dir(a) if not n.startswith("__")], vars(a), type(a).__name__, type(3), type(A), type(None).__name__, type("") is str, type([]).__name__, a.__class__.__name__)
# --- globals and locals
def f():
    a, b = 1, 2
    return sorted(locals().items())
g_name = 5
print(f(), globals()["g_name"])
# --- enum flags
from enum import Flag, IntFlag, auto
class F(IntFlag):
    R = 4
    W = 2
print(int(F.R | F.W), bool(F.R & F.W), F.R.value)
# --- class with operators by table
import operator
class Lazy:
    pass
for name in ("add", "mul"):
    def method(self, other, f=getattr(operator, name)): return f(3, other)
    setattr(Lazy, f"__{name}__", method)
print(Lazy() + 4, Lazy() * 5)
# --- getattr through wrappers
class Wrap:
    def __init__(self, inner): self.__dict__["inner"] = inner
    def __getattr__(self, name): return getattr(self.inner, name)
    def __setattr__(self, name, value): setattr(self.inner, name, value)
class A: pass
w = Wrap(A())
w.x = 3
print(w.x, w.inner.x)
