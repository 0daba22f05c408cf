# --- list methods
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
# --- list errors
for f in (lambda: [].pop(), lambda: [1].remove(2), lambda: [1].index(2), lambda: [1][3], lambda: [1]["a"], lambda: [3, "a"].sort(), lambda: [1].nope):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
# --- slices
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
# --- list while it is walked
l = [1, 2, 3]
for x in l:
    if x < 3: l.append(x + 10)
    if len(l) > 6: break
print(l)
# --- aliasing
a = [[0] * 2] * 2
a[0][0] = 1
b = [[0] * 2 for _ in range(2)]
b[0][0] = 1
print(a, b)
# --- tuple
t = (1, 2, 2)
print(t.count(2), t.index(2), t[1:], len(t), t + (3,), () == tuple(), (1,) * 2, hash((1, 2)) == hash((1, 2)))
try:
    t[0] = 1
except TypeError as e:
    print(e)
# --- dict methods
d = {"a": 1, "b": 2}
d["c"] = 3
print(d.get("a"), d.get("z"), d.get("z", 0), d.pop("b"), d.pop("q", None), d.setdefault("a", 9), d.setdefault("n", []), d)
d.update({"a": 5}, x=6)
d.update([("y", 7)])
print(d, list(d), list(d.keys()), list(d.values()), list(d.items()), len(d), "a" in d, d.popitem())
print({**d, "a": 0}, dict(d, k=1), dict(zip("ab", (1, 2))), dict.fromkeys("ab", 0), d.copy() == d, d | {"z": 1})
del d["a"]
d.clear()
print(d)
# --- dict errors
for f in (lambda: {}["k"], lambda: {}.pop("k"), lambda: {}.popitem(), lambda: {[]: 1}, lambda: {}.x, lambda: dict([1])):
    try:
        f()
    except Exception as e:
        print(type(e).__name__)
try:
    {}["k"]
except KeyError as e:
    print(e, repr(e), e.args)
# --- dict order and views
d = {"b": 1, "a": 2}
d["b"] = 3
v = d.items()
d["c"] = 4
print(list(v), d.keys() & {"a", "z"}, sorted(d.keys() | {"z"}), sorted(d), max(d, key=d.get), list(reversed(d)))
for k in list(d):
    if k == "a": del d[k]
print(d, {k: v for k, v in sorted(d.items(), key=lambda kv: -kv[1])})
# --- changing a dict while it is walked
d = {"a": 1}
try:
    for k in d: d[k + "x"] = 1
except RuntimeError as e:
    print(e)
# --- sets
s = {1, 2, 3}
s.add(4); s.discard(9); s.remove(1)
print(sorted(s), sorted(s | {9}), s & {2, 3}, sorted(s - {2}), sorted(s ^ {2, 7}), s <= {2, 3, 4, 5}, s.issuperset({2}), s.isdisjoint({8}), len(s), 2 in s)
s.update([7], (8,))
s.intersection_update({7, 8, 2})
print(sorted(s), sorted(s.union([1], [0])), sorted(s.difference([2])), sorted(s.symmetric_difference([2, 5])), frozenset([1]) == {1}, {frozenset([1]): 2}[frozenset([1])])
s.difference_update([7])
s.symmetric_difference_update({2, 3})
print(sorted(s), set() == set(), bool(set()), set("aab") == {"a", "b"})
try:
    s.remove(100)
except KeyError as e:
    print(e)
# --- nested containers
d = {"a": [1, {"b": (2, 3)}]}
print(d["a"][1]["b"][0])
d["a"][1]["b"] += (4,)
print(d)
# --- sorting
print(sorted([3, 1, 2]), sorted("bca", reverse=True), sorted([(1, "b"), (1, "a")]), sorted([1, -2, 3], key=abs), sorted({"b": 1, "a": 2}), sorted([[2], [1, 5]]), sorted([True, False]), sorted([1.5, 1]))
data = [("a", 3), ("b", 1), ("c", 3)]
print(sorted(data, key=lambda p: (-p[1], p[0])), sorted(data, key=lambda p: p[1], reverse=True))
# --- min max sum any all
print(min(3, 1), max([1, 5, 2]), min([], default=7), max("ab", "c"), max([1, 2], key=lambda x: -x), sum([1, 2], 10), sum([0.1] * 3), sum([[1], [2]], []), any([]), all([]), any(x > 1 for x in [1, 2]), all([1, 0]))
for f in (lambda: max([]), lambda: min(()), lambda: sum(["a"])):
    try:
        f()
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
# --- zip map filter enumerate reversed
print(list(zip([1, 2], "ab", (True, False))), list(zip([1, 2, 3], [1])), list(map(lambda a, b: a + b, [1, 2], [10, 20])), list(filter(None, [0, 1, "", 2])), list(enumerate("ab", 1)), list(reversed([1, 2])), list(zip()), dict(zip("ab", range(2))), [*zip(*[(1, 2), (3, 4)])])
try:
    list(zip([1], [], strict=True))
except ValueError as e:
    print("ValueError")
# --- range
r = range(2, 10, 3)
print(list(r), len(r), r[1], r[-1], 5 in r, 6 in r, list(range(5, 0, -2)), r.start, r.stop, r.step, list(range(0)), range(3) == range(0, 3), r.index(5), list(range(10))[::-1], range(10)[2:5], sum(range(101)), list(reversed(range(3))))
try:
    range(0, 1, 0)
except ValueError as e:
    print(e)
# --- iterators
it = iter([1, 2, 3])
print(next(it), list(it), next(it, "done"))
try:
    next(it)
except StopIteration:
    print("stop")
it = iter(range(3))
print([(a, next(it, None)) for a in it])
print(list(iter(lambda c=iter("abx"): next(c), "x")))
# --- comprehensions
print([x * y for x in range(3) for y in range(x)], {k: v for k, v in zip("ab", (1, 2))}, sorted({x % 3 for x in range(5)}), [[j for j in range(i)] for i in range(3)], [x if x else "z" for x in (0, 1)], [a for a, (b, c) in [(1, (2, 3))]])
x = "outer"
[x for x in range(3)]
print(x)
# --- unhashable
for v in ([], {}, set()):
    try:
        hash(v)
    except TypeError as e:
        print(e)
# --- truth of containers
print([bool(v) for v in ([], [0], (), (0,), {}, {1: 1}, "", " ", 0, 0.0, None, range(0), range(1))])
# --- deep equality
print([1, [2, {"a": (3,)}]] == [1, [2, {"a": (3,)}]], {1: 2} == {1: 2.0}, [1] != [1], (1, 2) == (1, 3), {1, 2} == {2, 1}, {"a": 1, "b": 2} == {"b": 2, "a": 1})
# --- list and tuple from iterators
print(list(x for x in "ab"), tuple(map(str, [1, 2])), set(map(len, ["a", "b"])), dict((k, 1) for k in "ab"), list({"a": 1}), tuple({"x": 2}.items()))
# --- multiple targets in for
for i, (a, *b) in enumerate([(1, 2, 3), "xy"]):
    print(i, a, b)
# --- del in nested
d = {"a": {"b": 1, "c": 2}}
del d["a"]["b"]
l = [1, 2, 3]
del l[1]
print(d, l)
# --- copy is shallow
import copy
a = [[1], 2]
b, c = a.copy(), copy.deepcopy(a)
a[0].append(9)
print(b, c, copy.copy({"x": a})["x"] is a)
class P:
    def __init__(self): self.v = [1]
p = P()
q, r = copy.copy(p), copy.deepcopy(p)
p.v.append(2)
print(q.v, r.v)
