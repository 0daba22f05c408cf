# --- functools
from functools import partial, reduce, wraps, lru_cache, cmp_to_key, singledispatch
def f(a, b, c=0): return a, b, c
p = partial(f, 1, c=5)
print(p(2), p(2, c=6), p.func is f, p.args, reduce(lambda a, b: a * b, [1, 2, 3, 4]), reduce(max, [3, 1], 10))
def deco(g):
    @wraps(g)
    def inner(*a): return g(*a) + 1
    return inner
@deco
def named(x):
    "docs"
    return x
print(named.__name__, named.__doc__, named(1), named.__wrapped__(1))
calls = []
@lru_cache(maxsize=None)
def fib(n):
    calls.append(n)
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(30), len(calls), sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)))
@singledispatch
def show(x): return "other"
@show.register
def _(x: int): return "int"
@show.register(list)
def _(x): return "list"
print(show(1), show([]), show("s"), show(True))
# --- itertools
from itertools import *
print(list(chain([1], (2, 3))), list(chain.from_iterable(["ab", "c"])), list(islice(count(10, 5), 3)), list(islice(range(10), 2, 8, 3)), list(islice("abc", None)))
print(list(product("ab", [1, 2])), list(product([0, 1], repeat=2)), list(permutations([1, 2, 3], 2)), list(combinations("abc", 2)), list(combinations_with_replacement("ab", 2)))
print(list(accumulate([1, 2, 3])), list(accumulate([1, 2, 3], lambda a, b: a * b, initial=2)), list(repeat(7, 2)), list(zip(cycle("ab"), range(3))), list(takewhile(lambda x: x < 3, [1, 2, 5, 1])), list(dropwhile(lambda x: x < 3, [1, 2, 5, 1])))
print(list(starmap(pow, [(2, 3), (3, 2)])), list(zip_longest([1, 2], "a", fillvalue="-")), [(k, list(g)) for k, g in groupby("aabbc")], list(compress("abc", [1, 0, 1])), list(filterfalse(None, [0, 1])), list(pairwise([1, 2, 3])), [list(t) for t in tee([1, 2])])
# --- collections
from collections import OrderedDict, defaultdict, Counter, deque, ChainMap
d = defaultdict(list)
d["a"].append(1)
d["b"]
print(dict(d), d.get("z"), "z" in d, len(d), d["a"])
c = Counter("abracadabra")
print(c.most_common(2), c["z"], sum(c.values()), c + Counter("a"), sorted(c.elements())[:3])
c.update("zz")
print(c["z"], Counter(a=1) | Counter(a=3), c)
q = deque([1, 2, 3], maxlen=3)
q.append(4)
q.appendleft(0)
print(q, q.popleft(), q.pop(), list(q), len(q))
q.rotate(1)
o = OrderedDict([("x", 1), ("y", 2)])
o.move_to_end("x")
print(o, o.popitem(last=False), list(o), ChainMap({"a": 1}, {"a": 2, "b": 3})["b"])
# --- deque rotation and limits
from collections import deque
d = deque(range(5))
d.rotate(2)
print(d)
d.rotate(-1)
d.extendleft([9, 8])
print(d, d[0], d[-1], 3 in d)
try:
    deque().popleft()
except IndexError as e:
    print(e)
# --- operator
import operator
from operator import itemgetter, attrgetter, methodcaller
print(operator.add(1, 2), operator.mul(3, 4), itemgetter(1)([5, 6]), itemgetter("a", "b")({"a": 1, "b": 2}), attrgetter("real")(3), methodcaller("upper")("x"), sorted([(1, "b"), (2, "a")], key=itemgetter(1)), operator.lt(1, 2), operator.contains([1], 1))
# --- math
import math
print(math.sqrt(16), math.floor(2.7), math.ceil(2.1), math.pi, math.gcd(12, 18), math.lcm(4, 6), math.factorial(5), math.comb(5, 2), math.perm(5, 2), math.prod([1, 2, 3]), math.log(8, 2), math.log2(8), math.log10(1000), math.exp(0), math.pow(2, 3), math.hypot(3, 4), math.isclose(0.1 + 0.2, 0.3), math.inf, math.isnan(math.nan), math.trunc(-2.5), math.floor(-2.5), math.isqrt(17), math.copysign(1, -2), math.fabs(-3), math.fmod(7, 3), math.degrees(math.pi), math.atan2(1, 1), math.modf(2.5), math.frexp(8))
for f in (lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.factorial(-1)):
    try:
        f()
    except ValueError as e:
        print("ValueError")
# --- json
import json
d = {"a": [1, 2.5, None, True], "b": {"c": "text \" é"}, 3: "k"}
print(json.dumps(d), json.loads('{"x": [1, {"y": null}], "z": 1e3}'), json.dumps([]), json.dumps({}), json.dumps((1, 2)))
print(json.dumps({"b": 1, "a": [1, {"q": 2}]}, indent=2, sort_keys=True))
try:
    json.loads("{bad")
except ValueError as e:
    print(type(e).__name__)
try:
    json.dumps({1, 2})
except TypeError as e:
    print(e)
print(json.dumps({1: {2}}, default=list))
# --- re
import re
m = re.match(r"(\w+)-(\d+)", "layer-12 x")
print(m.group(), m.group(1), m.groups(), m.start(2), m.span(), m[2])
print(re.search(r"\d+", "ab12cd34").group(), re.findall(r"\d+", "ab12cd34"), re.findall(r"(\w)(\d)", "a1 b2"), re.sub(r"\d", "#", "a1b2"), re.sub(r"(\w)(\d)", r"\2\1", "a1"), re.split(r"[,;]\s*", "a, b;c"), re.match("x", "ab"), bool(re.fullmatch(r"\d+", "123")), re.sub("a", lambda m: m.group().upper(), "banana", count=2))
p = re.compile(r"(?P<key>\w+)=(?P<value>\w+)", re.IGNORECASE)
print(p.search("A=b").groupdict(), [x.group("key") for x in p.finditer("a=1 b=2")], p.pattern, re.escape("a.b"), re.subn("a", "b", "aa"))
print(re.findall(r"^x", "x\nx", re.M), re.match(r"a.b", "a\nb", re.S) is not None, re.split(r"(-)", "a-b"))
# --- string
import string
print(string.ascii_lowercase[:5], string.digits, string.Template("$a and ${b}").substitute(a=1, b=2), string.capwords("a bc"), len(string.punctuation))
# --- copy
import copy
a = {"x": [1, 2], "y": (3, [4])}
b = copy.deepcopy(a)
a["x"].append(9)
a["y"][1].append(5)
print(a, b, copy.copy(a) is a, copy.copy(a)["x"] is a["x"])
l = []
l.append(l)
m = copy.deepcopy(l)
print(m[0] is m)
class N:
    def __init__(self, v): self.v = v
    def __deepcopy__(self, memo): return N(self.v + 1)
print(copy.deepcopy([N(1)])[0].v)
# --- os.path
import os.path as p
print(p.join("a", "b", "/c", "d"), p.join("a/", "b"), p.basename("/x/y.txt"), p.dirname("/x/y.txt"), p.splitext("a.tar.gz"), p.splitext(".rc"), p.split("a/b/c"), p.normpath("a//b/../c/."), p.isabs("/a"), p.relpath("/a/b", "/a/c"), p.join("a"), p.commonprefix(["abc", "abd"]))
# --- pathlib
from pathlib import Path, PurePosixPath
p = Path("data") / "train" / "x.tar.gz"
print(p, p.name, p.stem, p.suffix, p.suffixes, p.parent, p.parts, p.with_suffix(".zip"), p.with_name("y"), Path("/a/b").is_absolute(), Path("a//b/./c"), str(Path("a", "b")), p.relative_to("data"), Path("x") == Path("x"), repr(Path("q")), [str(q) for q in p.parents], p.as_posix(), sorted([Path("b"), Path("a")])[0])
# --- heapq and bisect
import heapq, bisect
h = []
for x in (5, 1, 4): heapq.heappush(h, x)
print(heapq.heappop(h), heapq.heappop(h), heapq.nlargest(2, [1, 5, 3]), heapq.nsmallest(2, [4, 2, 9]), list(heapq.merge([1, 4], [2])))
l = [1, 3, 5]
bisect.insort(l, 4)
print(l, bisect.bisect_left(l, 3), bisect.bisect(l, 3))
# --- textwrap
import textwrap
print(textwrap.dedent("""
    a
      b
    """), textwrap.indent("a\nb", "> "), textwrap.wrap("the quick brown fox", 10), textwrap.shorten("hello world again", 13))
# --- statistics and fractions
import statistics
from fractions import Fraction
print(statistics.mean([1, 2, 3]), statistics.median([3, 1, 2, 4]), statistics.pstdev([1, 1]), statistics.stdev([1, 3]), statistics.mode([1, 2, 2]))
print(Fraction(1, 3) + Fraction(1, 6), Fraction(2, 4), float(Fraction(1, 4)), Fraction("3/9"), Fraction(1, 2) > Fraction(1, 3), repr(Fraction(5)))
# --- argparse defaults
import argparse
p = argparse.ArgumentParser(description="x")
p.add_argument("--batch-size", type=int, default=64, metavar="N", help="h")
p.add_argument("--lr", type=float, default=0.1)
p.add_argument("--cuda", action="store_true", default=False)
p.add_argument("--no-log", dest="log", action="store_false")
p.add_argument("-v", "--verbose", action="count", default=0)
p.add_argument("--arch", default="r18", choices=["r18", "r50"])
p.add_argument("--sizes", nargs="+", type=int, default=[1, 2])
p.add_argument("--text-number", type=int, default="7")
print(p.parse_args([]))
a = p.parse_args(["--batch-size", "8", "--lr=0.5", "--cuda", "--no-log", "-vv", "-v", "--arch", "r50", "--sizes", "3", "4", "--text", "9"])
print(a.batch_size, a.lr, a.cuda, a.log, a.verbose, a.arch, a.sizes, a.text_number, vars(a)["lr"])
# --- argparse positional, groups and known
import argparse
p = argparse.ArgumentParser()
p.add_argument("data")
p.add_argument("rest", nargs="*")
g = p.add_argument_group("opt")
g.add_argument("--n", type=int, default=3)
m = p.add_mutually_exclusive_group()
m.add_argument("--x", action="store_const", const=5)
m.add_argument("--y", action="append")
print(p.parse_args(["d", "1", "2", "--n", "4", "--y", "a", "--y", "b"]))
print(p.parse_known_args(["d", "--unknown", "--n", "1"]))
p.set_defaults(n=9, extra="e")
print(p.parse_args(["d"]), p.get_default("n"))
# --- argparse subcommands
import argparse
p = argparse.ArgumentParser()
s = p.add_subparsers(dest="cmd")
t = s.add_parser("train")
t.add_argument("--epochs", type=int, default=10)
e = s.add_parser("eval")
e.add_argument("ckpt")
e.set_defaults(run="evaluate")
print(p.parse_args(["train", "--epochs", "3"]), p.parse_args(["eval", "c.pt"]), p.parse_args([]).cmd)
# --- argparse refuses
import argparse, sys, io
p = argparse.ArgumentParser()
p.add_argument("--n", type=int)
p.add_argument("--c", choices=["a"])
sys.stderr = io.StringIO()
for args in (["--n", "x"], ["--c", "z"], ["--zz"], ["--n"]):
    try:
        p.parse_args(args)
    except SystemExit as e:
        print("exit", e.code)
# --- argparse types and optional values
import argparse
def pair(text): return tuple(int(x) for x in text.split("x"))
p = argparse.ArgumentParser()
p.add_argument("--size", type=pair, default="2x3")
p.add_argument("--opt", nargs="?", const="c", default="d")
p.add_argument("--two", nargs=2, type=float)
p.add_argument("--flag", action=argparse.BooleanOptionalAction, default=True)
p.add_argument("--neg", type=int)
print(p.parse_args([]), p.parse_args(["--opt"]).opt, p.parse_args(["--opt", "v"]).opt, p.parse_args(["--two", "1", "2"]).two, p.parse_args(["--no-flag"]).flag, p.parse_args(["--neg", "-3"]).neg, p.parse_args(["--size", "4x5"]).size)
# --- enum and dataclass in configuration
from dataclasses import dataclass, asdict, field
from enum import Enum
class Mode(Enum):
    TRAIN = "train"
    TEST = "test"
@dataclass
class Opt:
    name: str = "adam"
    betas: tuple = (0.9, 0.99)
@dataclass
class Cfg:
    mode: Mode = Mode.TRAIN
    opt: Opt = field(default_factory=Opt)
    dims: list = field(default_factory=lambda: [1, 2])
c = Cfg()
print(c, asdict(c), Cfg(opt=Opt("sgd")).opt.name, c == Cfg())
# --- abc with containers
from collections.abc import Mapping, Sequence, Iterable, Callable, Iterator
print(isinstance({}, Mapping), isinstance([], Sequence), isinstance("a", Iterable), isinstance(3, Iterable), isinstance((x for x in []), Iterator), isinstance(1, Sequence))
class M(Mapping):
    def __init__(self): self.d = {"a": 1}
    def __getitem__(self, k): return self.d[k]
    def __iter__(self): return iter(self.d)
    def __len__(self): return len(self.d)
m = M()
print(m.get("a"), m.get("b", 2), "a" in m, list(m.items()), dict(m), {**m}, isinstance(m, Mapping))
# --- datetime stretches
from datetime import timedelta
t = timedelta(hours=1, minutes=30)
print(t.total_seconds(), str(t), t.seconds, timedelta(days=2) > t, str(timedelta(seconds=59)), (t + t).total_seconds())
# --- io
import io
s = io.StringIO()
s.write("ab")
s.write("c\nd")
print(repr(s.getvalue()), io.StringIO("x\ny").readlines(), io.StringIO("hello").read(2), io.BytesIO(b"ab").read())
# --- queue and types
import queue, types
q = queue.Queue()
q.put(1); q.put(2)
print(q.get(), q.qsize(), q.empty(), isinstance(lambda: 0, types.FunctionType), types.SimpleNamespace(a=1).a)
# --- inspect
import inspect
def f(a, b=2, *args, c, d=4, **kw): pass
print(list(inspect.signature(f).parameters), inspect.signature(f).parameters["b"].default, inspect.isclass(int), inspect.isfunction(f), inspect.getfullargspec(f).args, inspect.signature(f).parameters["a"].default is inspect.Parameter.empty)
class A:
    def __init__(self, x, y=1): pass
print(list(inspect.signature(A).parameters), list(inspect.signature(A(1).__init__).parameters))
# --- contextlib decorators
from contextlib import contextmanager
@contextmanager
def timed(log):
    log.append("start")
    yield
    log.append("stop")
log = []
with timed(log):
    log.append("work")
@timed(log)
def f(): log.append("f")
f()
print(log)
# --- logging and warnings are quiet
import logging, warnings
log = logging.getLogger(__name__)
log.setLevel(logging.INFO)
log.info("x %d", 3)
logging.basicConfig(level=logging.DEBUG)
warnings.warn("w")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
print(log.name, logging.getLogger("a") is logging.getLogger("a"), logging.INFO)
# --- random has bounds
import random
random.seed(0)
n = random.randint(3, 5)
x = random.random()
print(3 <= n <= 5, len(random.sample(range(10), 4)), isinstance(x, float), isinstance(n, int))
# --- import forms
import os.path
import collections as c, math
from math import sqrt as root, pi
from os import *
print(os.path.join("a", "b"), c.Counter("aa")["a"], root(4), math.pi == pi)
# --- numbers and struct
import numbers, struct
print(isinstance(3, numbers.Integral), isinstance(2.5, numbers.Real), isinstance("x", numbers.Number), struct.calcsize("<iif"))
# --- weak references and fnmatch
import weakref, fnmatch
class A: pass
a = A()
print(weakref.ref(a)() is a, fnmatch.fnmatch("a.py", "*.py"), fnmatch.filter(["a.x", "b.y"], "*.x"))
# --- tomllib
import tomllib
print(tomllib.loads('a = 1\n[b]\nc = [1, 2]\nd = "x"\ne = 1.5\nf = true'))
# --- what a program says of itself
"""Trains a net."""
import argparse
print(__doc__)
print(argparse.ArgumentParser(description=__doc__).parse_args([]))
