l = [3, 1, 2]
l.append(4); l.extend((5, 6)); l.insert(0, 9); l.insert(-1, 8); l.insert(100, 7)
print(l, l.pop(), l.pop(0), l.pop(-2), l)
l.remove(1); l.reverse()
print(l, l.index(4), l.count(3), l.copy() == l)
l.sort()
print(l)
l.sort(reverse=True, key=lambda x: -x)
print(l)
l.clear()
print(l)
for f in (lambda: [].pop(), lambda: [1].remove(2), lambda: [1].index(2), lambda: [1][3], lambda: [1]["a"], lambda: [3, "a"].sort(), lambda: [1].nope):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
l = list(range(10))
print(l[2:5], l[::-3], l[-3:], l[:-7], l[5:2], l[::2], l[8:20], l[-100:2], l[slice(1, 4, 2)])
l[2:5] = [0]
print(l)
l[::2] = [9] * len(l[::2])
print(l)
del l[0], l[-1:]
del l[::2]
print(l)
l[1:1] = [7, 7]
l[len(l):] = [5]
print(l)
try:
    l[::2] = [1]
except ValueError as e:
    print("ValueError")
l = [1, 2, 3]
for x in l:
    if x < 3: l.append(x + 10)
    if len(l) > 6: break
print(l)
a = [[0] * 2] * 2
a[0][0] = 1
b = [[0] * 2 for _ in range(2)]
b[0][0] = 1
print(a, b)
t = (1, 2, 2)
print(t.count(2), t.index(2), t[1:], len(t), t + (3,), () == tuple(), (1,) * 2, hash((1, 2)) == hash((1, 2)))
try:
    t[0] = 1
except TypeError as e:
    print(e)
