# --- f-strings
n, x, s, d = 3, 3.14159, "text", {"k": 1}
print(f"{n:02d}|{n:5}|{n:<5}|{n:^5}|{n:+}|{n:,}|{1234567:,}|{1234567:_}|{n:x}|{255:X}|{5:b}|{8:o}|{255:#x}|{5:08b}")
print(f"{x:.2f}|{x:8.3f}|{x:<8.2f}|{x:e}|{x:.1e}|{x:g}|{x:.3g}|{0.25:%}|{0.256:.1%}|{1e10:g}|{1234.5:,.2f}|{-x:+.1f}|{x: .2f}|{0.00001:g}|{123456789.0:g}")
print(f"{s:>8}|{s:*^10}|{s:.2}|{s!r}|{s!r:>8}|{s:<6}|{d['k']}|{n=}|{n = }|{x=:.1f}|{{}}")
print(f"{'nested ' + str(n)}|{n:{n}}|{x:{5}.{2}f}|{n if n > 2 else 0}|{[i for i in range(2)]}")
# --- format method
print("{} {}".format(1, 2), "{1} {0}".format(1, 2), "{a}-{b:>3}".format(a=1, b=2), "{0[1]} {1.real}".format([1, 2], 3), "{:.3f}".format(1 / 3), "{{}}".format(), "{:>{w}}".format("a", w=4), "{!r}".format("q"))
# --- percent
print("%d %s %r %5.2f %05d %x %% %e" % (1, "a", "b", 2.5, 42, 255, 1.5), "%(a)s %(b)03d" % {"a": 1, "b": 2}, "%s" % [1], "%-5s|" % "a", "%c" % "z", "%i" % 3.9)
print("%s" % (1,), "%.3g" % 0.00012345, "%+d" % 3, "%5s" % "ab")
# --- case methods
print("aBc".upper(), "aBc".lower(), "hello world".title(), "hello World".capitalize(), "aBc".swapcase(), "ß".casefold())
# --- strip and friends
print("  a ".strip() + "|", "xxaxx".strip("x"), "xxa".lstrip("x"), "axx".rstrip("x"), "abc".removeprefix("a"), "abc".removesuffix("bc"), " a b ".split())
# --- split and join
print("a,b,,c".split(","), "a b  c".split(), "a,b,c".split(",", 1), "a,b,c".rsplit(",", 1), "a b c".split(None, 1), "a b c".rsplit(None, 1), "x".split(","), "".split(), "".split(","), "l1\nl2\r\nl3".splitlines(), "-".join(["a", "b"]), "".join(str(i) for i in range(3)))
# --- search
s = "banana"
print(s.find("an"), s.rfind("an"), s.find("x"), s.index("n"), s.rindex("n"), s.count("a"), s.count("an"), s.find("an", 2), s.count("a", 2), s.startswith("ba"), s.endswith(("x", "na")), s.startswith("an", 1), "ana" in s)
try:
    s.index("x")
except ValueError as e:
    print(e)
# --- replace and partition
print("aaa".replace("a", "b"), "aaa".replace("a", "b", 2), "a=b=c".partition("="), "a=b=c".rpartition("="), "abc".partition("x"), "abc".rpartition("x"))
# --- tests
print("12".isdigit(), "1a".isdigit(), "ab".isalpha(), "a1".isalnum(), " ".isspace(), "AB".isupper(), "ab".islower(), "Ab".isupper(), "x_1".isidentifier(), "1x".isidentifier(), "Ab Cd".istitle(), "".isdigit(), "1".isupper(), "ab1".islower())
# --- fill
print("5".zfill(3), "-5".zfill(4), "a".ljust(3) + "|", "a".rjust(3, "."), "a".center(4, "*"), "abc".center(2), "a\tb".expandtabs(4))
# --- indexing and slicing
s = "hello"
print(s[0], s[-1], s[1:3], s[::-1], s[::2], s[10:], s[-3:-1], s[:-1])
try:
    s[9]
except IndexError as e:
    print(e)
# --- repr of texts
print(repr("a'b"), repr('a"b'), repr("a\n\t\\"), repr("a'b\"c"), repr(""), ["x"], repr("\x00\x7f"), repr("é"))
# --- escape and raw
print(len("\n"), len(r"\n"), "\x41\u0042", "a" "b", """multi
line""")
# --- compare and order
print(sorted(["b", "A", "a"]), sorted(["bb", "a"], key=len), max("abc"), min(["x", "y"]), "a" < "B")
# --- iterate and enumerate
print(list("abc"), [c * 2 for c in "ab"], dict(enumerate("ab")), "".join(reversed("abc")), "".join(sorted("cab")))
# --- translate
print("abc".translate(str.maketrans("ab", "xy")), "abc".translate({ord("a"): None, 98: "BB"}), "a-b".translate(str.maketrans("", "", "-")))
# --- bytes
b = b"ab\x00"
print(b, len(b), b[0], b[1:], b + b"c", b.decode("latin1") == "ab\x00", "é".encode(), "a".encode("ascii"), bytes([1, 2]), bytes(2), b"a" in b, b"x".hex(), b"a,b".split(b","))
# --- string errors
for f in (lambda: ",".join([1]), lambda: "a".foo, lambda: "abc"["x"], lambda: "{}{}".format(1), lambda: "{a}".format()):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
# --- immutable
try:
    "abc"[0] = "x"
except TypeError as e:
    print(e)
# --- format hook
class M:
    def __format__(self, spec): return f"<{spec}>"
print(f"{M():abc}", format(M(), "x"), "{:y}".format(M()))
# --- format of bool, none and containers
print(f"{True} {None} {[1]} {(1,)} {{'a': 1}}", f"{True:d}", f"{'x':>3}", format(3, "05"), format(2.0), f"{1e100}", f"{3.0:g}", f"{10:e}")
# --- nested quotes
d = {"a b": [1, 2]}
print(f"{d['a b'][1]} {', '.join(str(v) for v in d['a b'])}")
# --- multiplication table
print("\n".join(" ".join(f"{i * j:3d}" for j in range(1, 4)) for i in range(1, 4)))
# --- str of containers
print(str([1, "a", None, 2.5, (1,), {"k": {1}}]), str(()), str({}), str(set()), str([[]]), str(range(3)), range(0, 10, 2))
