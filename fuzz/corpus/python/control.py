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
total = 0
for i in range(1000):
    total += i
k = 0
while k < 1000:
    k += 1
print(total, k)
out = []
for i in range(4):
    for j in range(4):
        if j == i: break
        if (i + j) % 2: continue
        out.append((i, j))
print(out)
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
