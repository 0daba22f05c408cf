# --- loops with else
for i in range(3):
    if i == 5: break
else:
    print("no break")
for i in range(3):
    if i == 1: break
else:
    print("never")
n = 3
while n:
    n -= 1
    if n == 1: continue
else:
    print("done", n)
print(i)
# --- a thousand steps
total = 0
for i in range(1000):
    total += i
k = 0
while k < 1000:
    k += 1
print(total, k)
# --- nested break and continue
out = []
for i in range(4):
    for j in range(4):
        if j == i: break
        if (i + j) % 2: continue
        out.append((i, j))
print(out)
# --- try else finally in order
def f(x):
    log = []
    try:
        log.append("try")
        if x == 1: raise ValueError("v")
        if x == 2: return log
    except ValueError as e:
        log.append(f"except {e}")
    else:
        log.append("else")
    finally:
        log.append("finally")
    log.append("end")
    return log
print(f(0), f(1), f(2))
# --- finally wins
def f():
    try:
        return 1
    finally:
        return 2
def g():
    for i in range(3):
        try:
            continue
        finally:
            if i == 1: break
    return i
def h():
    try:
        raise ValueError
    finally:
        return "swallowed"
print(f(), g(), h())
# --- exceptions by class, in order
def f(e):
    try:
        raise e
    except (KeyError, IndexError) as x:
        return "lookup", type(x).__name__
    except ArithmeticError:
        return "arith"
    except Exception as x:
        return "other", str(x)
print(f(KeyError("k")), f(ZeroDivisionError()), f(RuntimeError("r")), f(IndexError))
# --- raise again and chain
try:
    try:
        raise KeyError("a")
    except KeyError as e:
        raise ValueError("b") from e
except ValueError as e:
    print(repr(e), repr(e.__cause__), e.args)
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise
except ZeroDivisionError as e:
    print("again", e)
try:
    try:
        {}["x"]
    except KeyError:
        raise RuntimeError("ctx")
except RuntimeError as e:
    print(repr(e.__context__), e.__cause__)
# --- the name of the exception goes away
try:
    raise ValueError
except ValueError as e:
    pass
try:
    e
except NameError:
    print("gone")
# --- own exceptions
class MyError(ValueError):
    def __init__(self, code, text="x"):
        super().__init__(f"{code}: {text}")
        self.code = code
try:
    raise MyError(3, "bad")
except ValueError as e:
    print(e, e.code, e.args, isinstance(e, MyError), repr(e))
# --- str of exceptions
print(str(ValueError()), str(ValueError("a")), str(ValueError("a", 1)), repr(ValueError("a", 1)), str(KeyError("k")), str(OSError(2, "no")))
# --- assert
try:
    assert 1 == 2, f"message {3}"
except AssertionError as e:
    print(e)
try:
    assert False
except AssertionError as e:
    print(repr(e))
# --- uncaught
def f():
    raise RuntimeError("out")
f()
# --- raise what is no exception
try:
    raise 3
except TypeError as e:
    print(e)
# --- with
class M:
    def __init__(self, name, swallow=False): self.name, self.swallow = name, swallow
    def __enter__(self):
        print("enter", self.name)
        return self
    def __exit__(self, kind, value, trace):
        print("exit", self.name, kind.__name__ if kind else None)
        return self.swallow
with M("a") as a, M("b", True) as b:
    print(a.name, b.name)
    raise ValueError("x")
print("after")
def f():
    with M("r"):
        return "returned"
print(f())
for i in range(3):
    with M(i):
        if i == 1: break
# --- context managers by generator
from contextlib import contextmanager
@contextmanager
def tag(name):
    print("<" + name)
    try:
        yield name.upper()
    except KeyError as e:
        print("saw", e)
    finally:
        print(name + ">")
with tag("a") as t:
    print(t)
with tag("b"):
    raise KeyError("k")
# --- match literals and captures
def f(x):
    match x:
        case 0 | 1: return "small"
        case "a": return "letter"
        case None: return "none"
        case True: return "yes"
        case [a]: return "one", a
        case [a, b]: return "two", a, b
        case [a, *rest]: return "many", a, rest
        case {"k": v, **more}: return "map", v, more
        case int(n) if n > 100: return "big", n
        case int() | float(): return "number"
        case str() as s: return "text", s
        case _: return "else"
print([f(v) for v in (0, 1, "a", None, [1], (1, 2), [1, 2, 3], {"k": 1, "z": 2}, 500, 5, 2.5, "zz", object)])
# --- match classes
class P:
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
def f(p):
    match p:
        case P(0, 0): return "origin"
        case P(x, 0): return "on x", x
        case P(x=0, y=y): return "on y", y
        case P(x, y) if x == y: return "diagonal"
        case P(): return "point"
print(f(P(0, 0)), f(P(3, 0)), f(P(0, 4)), f(P(2, 2)), f(P(1, 2)), f(3))
# --- match by value
class C:
    RED = 1
def f(x):
    match x:
        case C.RED: return "red"
        case -1: return "minus"
        case (1, (2, x)): return x
        case {"a": [1, y]}: return y
print(f(1), f(-1), f((1, (2, 3))), f({"a": [1, 5], "b": 0}), f("q"))
# --- conditional imports and try imports
try:
    import no_such_module_at_all
    have = True
except ImportError:
    have = False
print("imported")
# --- del and scoping in loops
for q in []:
    pass
try:
    q
except NameError:
    print("q is unbound")
# --- exit
import sys
try:
    sys.exit(3)
except SystemExit as e:
    print("exit", e.code)
# --- while with break and else
n = 10
while True:
    n -= 3
    if n < 0:
        break
print(n)
# --- exceptions in nested functions
def a(): return b()
def b():
    try:
        return c()
    except ValueError as e:
        return f"caught {e}"
def c(): raise ValueError("deep")
print(a())
# --- nested try in handler and finally
log = []
try:
    try:
        raise ValueError(1)
    except ValueError:
        try:
            raise KeyError(2)
        except KeyError:
            log.append("inner")
        raise
    finally:
        log.append("finally")
except ValueError as e:
    log.append(("outer", e.args))
print(log)
# --- suppress and exit stack
from contextlib import suppress, ExitStack, nullcontext, closing
with suppress(KeyError):
    {}["x"]
with ExitStack() as stack:
    stack.callback(print, "called last")
    v = stack.enter_context(nullcontext(5))
    print(v)
# --- exception groups of except order
try:
    [][0]
except LookupError as e:
    print(type(e).__name__, isinstance(e, Exception))
# --- add_note and with_traceback
e = ValueError("n")
print(e.with_traceback(None) is e)
# --- pass and ellipsis bodies
def f(): ...
class A: ...
print(f(), A.__name__, ... is Ellipsis)
# --- async is tolerated
import asyncio
async def one(): return 1
async def main():
    a = await one()
    b = await asyncio.gather(one(), one())
    return a, list(b)
print(asyncio.run(main()))
