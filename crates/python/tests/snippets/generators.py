# --- laziness
log = []
def g():
    log.append("start")
    yield 1
    log.append("middle")
    yield 2
    log.append("end")
it = g()
print(log)
print(next(it), log)
print(list(it), log)
# --- endless generators
def count():
    n = 0
    while True:
        yield n
        n += 1
from itertools import islice
c = count()
print([next(c) for _ in range(3)], list(islice(c, 2)), list(zip(count(), "ab")))
for i in count():
    if i > 200: break
print(i)
# --- longer than any limit
def g(n):
    for i in range(n): yield i
print(sum(g(500)), len(list(g(300))))
# --- return value and yield from
def inner():
    yield 1
    yield 2
    return "result"
def outer():
    r = yield from inner()
    yield r
    yield from "ab"
print(list(outer()))
# --- send
def avg():
    total, n, mean = 0, 0, None
    while True:
        x = yield mean
        total += x
        n += 1
        mean = total / n
a = avg()
next(a)
print(a.send(10), a.send(20), a.send(30))
# --- close and finally
log = []
def g():
    try:
        yield 1
        yield 2
    finally:
        log.append("closed")
it = g()
next(it)
it.close()
print(log, list(it))
# --- throw
def g():
    try:
        yield 1
    except ValueError as e:
        yield f"caught {e}"
it = g()
next(it)
print(it.throw(ValueError("v")))
# --- generator expressions are lazy
log = []
def see(x):
    log.append(x)
    return x
ge = (see(x) for x in range(5))
print(log, next(ge), log, any(see(x) == 2 for x in range(10)), log)
# --- generator expressions see names late
n = 1
ge = (x * n for x in [1, 2])
n = 10
print(list(ge))
# --- nested clauses and conditions
print(list((a, b) for a in range(3) if a for b in "xy" if b != "x"), sum(x for r in [[1], [2, 3]] for x in r))
# --- yield inside try, with and loops
from contextlib import contextmanager
class M:
    def __enter__(self): print("in")
    def __exit__(self, *a): print("out")
def g():
    with M():
        for i in range(2):
            try:
                yield i
            finally:
                print("f", i)
print(list(g()))
# --- generator methods and iter
class Tree:
    def __init__(self, v, *kids): self.v, self.kids = v, kids
    def __iter__(self):
        yield self.v
        for k in self.kids:
            yield from k
print(list(Tree(1, Tree(2, Tree(3)), Tree(4))))
# --- stop iteration inside becomes a runtime error
def g():
    yield 1
    next(iter([]))
try:
    list(g())
except RuntimeError as e:
    print("RuntimeError")
# --- pipelines
def read(): yield from ["a 1", "b 2", "a 3"]
def parse(lines):
    for line in lines:
        k, v = line.split()
        yield k, int(v)
def only(key, pairs): return (v for k, v in pairs if k == key)
print(sum(only("a", parse(read()))))
# --- two at a time
def pairs(xs):
    it = iter(xs)
    return zip(it, it)
print(list(pairs(range(6))))
# --- generator in star and unpacking
def g():
    yield 1
    yield 2
    yield 3
a, *b = g()
print(a, b, [*g()], max(g()), sorted(g(), reverse=True), 2 in g(), dict.fromkeys(g()))
# --- yields in expressions
def g():
    x = (yield 1) or 5
    y = [(yield 2), (yield 3)]
    print("got", x, y)
    return x
it = g()
print(next(it), it.send(None), it.send("a"))
try:
    it.send("b")
except StopIteration as e:
    print(e.value)
# --- conditional yields and while
def collatz(n):
    while n != 1:
        yield n
        if n % 2:
            n = 3 * n + 1
        else:
            n //= 2
    yield 1
print(list(collatz(6)))
# --- match with yields
def g(xs):
    for x in xs:
        match x:
            case int(): yield "int"
            case [a, *_]: yield a
            case _:
                continue
print(list(g([1, [2, 3], "s", 4])))
# --- permutations by recursion
def perms(xs):
    if not xs:
        yield []
        return
    for i, x in enumerate(xs):
        for rest in perms(xs[:i] + xs[i + 1:]):
            yield [x] + rest
print(len(list(perms([1, 2, 3, 4]))), next(perms("ab".split())))
# --- primes by a sieve of generators
def primes():
    seen = []
    n = 2
    while True:
        if all(n % p for p in seen):
            seen.append(n)
            yield n
        n += 1
from itertools import takewhile
print(list(takewhile(lambda p: p < 40, primes())))
# --- exceptions pass through
def g():
    yield 1
    raise KeyError("in generator")
try:
    for x in g(): print(x)
except KeyError as e:
    print("caught", e)
# --- generator type
g = (x for x in [])
print(type(g).__name__, hasattr(g, "send"), iter(g) is g)
# --- yield with nothing
def g():
    x = yield
    print("x", x)
    yield
it = g()
print(next(it), it.send(4))
# --- iterator classes
class Count:
    def __init__(self, n): self.i, self.n = 0, n
    def __iter__(self): return self
    def __next__(self):
        if self.i >= self.n: raise StopIteration
        self.i += 1
        return self.i
print(list(Count(3)), sum(Count(4)), [*Count(2)], 2 in Count(3))
a, b = Count(2)
print(a, b)
# --- for else with generators
def g(): yield 1
for x in g(): pass
else: print("exhausted", x)
# --- generators as coroutines that end
def g():
    while True:
        x = yield
        if x is None: return
        print("saw", x)
it = g()
next(it)
it.send(1)
try:
    it.send(None)
except StopIteration:
    print("over")
