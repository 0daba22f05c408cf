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
def g(n):
    for i in range(n): yield i
print(sum(g(500)), len(list(g(300))))
def inner():
    yield 1
    yield 2
    return "result"
def outer():
    r = yield from inner()
    yield r
    yield from "ab"
print(list(outer()))
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
