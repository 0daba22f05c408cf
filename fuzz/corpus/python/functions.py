def f(a, b, /, c, d=4, *rest, e, g=7, **more):
    return a, b, c, d, rest, e, g, more
print(f(1, 2, 3, e=5))
print(f(1, 2, 3, 4, 5, 6, e=5, g=8, h=9))
print(f(*[1, 2], **{"c": 3, "e": 5, "z": 0}))
def f(a, /, **more):
    return a, more
print(f(1, a=2))
def f(x, held=[]):
    held.append(x)
    return held
f(1)
print(f(2), f(3, []))
n = 1
def f(x=n): return x
n = 2
print(f())
def f(*, a): return a
try:
    f()
except TypeError as e:
    print(e)
try:
    f(1)
except TypeError as e:
    print(e)
def f(a, b=1): pass
for arguments, keywords in [((), {}), ((1, 2, 3), {}), ((1,), {"c": 1}), ((1,), {"a": 1})]:
    try:
        f(*arguments, **keywords)
    except TypeError as e:
        print(e)
