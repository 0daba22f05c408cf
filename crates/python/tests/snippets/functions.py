# --- every kind of parameter
def f(a, b, /, c, d=4, *rest, e, g=7, **more):
    return a, b, c, d, rest, e, g, more
print(f(1, 2, 3, e=5))
print(f(1, 2, 3, 4, 5, 6, e=5, g=8, h=9))
print(f(*[1, 2], **{"c": 3, "e": 5, "z": 0}))
# --- keyword of the name of a positional only parameter
def f(a, /, **more):
    return a, more
print(f(1, a=2))
# --- defaults are made once
def f(x, held=[]):
    held.append(x)
    return held
f(1)
print(f(2), f(3, []))
# --- defaults see the names of their time
n = 1
def f(x=n): return x
n = 2
print(f())
# --- keyword only without default
def f(*, a): return a
try:
    f()
except TypeError as e:
    print(e)
try:
    f(1)
except TypeError as e:
    print(e)
# --- wrong arguments
def f(a, b=1): pass
for arguments, keywords in [((), {}), ((1, 2, 3), {}), ((1,), {"c": 1}), ((1,), {"a": 1})]:
    try:
        f(*arguments, **keywords)
    except TypeError as e:
        print(e)
# --- two missing
def f(a, b): pass
try:
    f()
except TypeError as e:
    print(e)
# --- closures share a variable
def make():
    n = 0
    def inc():
        nonlocal n
        n += 1
        return n
    def get(): return n
    return inc, get
inc, get = make()
inc(); inc()
print(get())
# --- closures over a loop variable
fs = [lambda: i for i in range(3)]
print([f() for f in fs])
gs = [lambda i=i: i for i in range(3)]
print([g() for g in gs])
# --- nonlocal through two functions
def a():
    x = 1
    def b():
        def c():
            nonlocal x
            x = 5
        c()
    b()
    return x
print(a())
# --- global
count = 0
def bump():
    global count
    count += 1
bump(); bump()
print(count)
# --- recursion
def fact(n): return 1 if n < 2 else n * fact(n - 1)
print(fact(15))
def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
print(depth(300))
# --- endless recursion is an error
def f(n): return f(n + 1)
try:
    f(0)
except RecursionError as e:
    print("RecursionError")
# --- lambda with everything
f = lambda a, *b, c=3, **d: (a, b, c, d)
print(f(1, 2, c=4, e=5))
# --- functions have attributes
def f(): "doc"
f.mark = 3
print(f.mark, f.__name__, f.__doc__)
# --- decorators with arguments, in order
def tag(name):
    def wrap(f):
        def inner(*a, **k):
            return f"<{name}>{f(*a, **k)}</{name}>"
        return inner
    return wrap
@tag("b")
@tag("i")
def hello(who): return "hello " + who
print(hello("x"))
# --- decorator class
class Count:
    def __init__(self, f): self.f, self.n = f, 0
    def __call__(self, *a):
        self.n += 1
        return self.f(*a)
@Count
def f(x): return x * 2
f(1)
print(f(2), f.n)
# --- annotations are tolerated and kept
def f(a: int, b: "str" = "x") -> float: return a
print(f.__annotations__)
# --- use before assignment
def f():
    print(x)
    x = 1
try:
    f()
except UnboundLocalError as e:
    print("unbound")
# --- undefined name
try:
    missing
except NameError as e:
    print(e)
# --- deleted name
x = 1
del x
try:
    x
except NameError as e:
    print(e)
# --- default with mutable closure
def accumulate():
    total = []
    def add(x):
        total.append(x)
        return sum(total)
    return add
add = accumulate()
add(1); add(2)
print(add(3))
# --- star in call twice
def f(*a, **k): return a, k
print(f(*[1], 2, *(3, 4), **{"a": 1}, b=2, **{"c": 3}))
# --- keyword given twice
def f(**k): return k
try:
    f(**{"a": 1}, **{"a": 2})
except TypeError as e:
    print("TypeError")
# --- not callable
try:
    (3)()
except TypeError as e:
    print(e)
# --- inspect defaults
def f(a, b=2, *, c=3): pass
print(f.__defaults__, f.__kwdefaults__)
