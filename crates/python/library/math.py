"""Functions of numbers."""

import _system
import _tensorvet

pi, e, tau = 3.141592653589793, 2.718281828459045, 6.283185307179586
inf, nan = float("inf"), float("nan")


def _function(name):
    def called(x, /):
        return _system.function(name, x)

    return called


sqrt, exp, expm1, log2, log10, log1p = map(_function, ("sqrt", "exp", "expm1", "log2", "log10", "log1p"))
sin, cos, tan, asin, acos, atan = map(_function, ("sin", "cos", "tan", "asin", "acos", "atan"))
sinh, cosh, tanh, asinh, acosh, atanh = map(_function, ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"))
cbrt, erf, erfc, gamma, lgamma = map(_function, ("cbrt", "erf", "erfc", "gamma", "lgamma"))
floor, ceil, frexp = _system.floor, _system.ceil, _system.frexp


def log(x, base=None, /):
    if base is None:
        return _system.function("log", x)
    if base == 2:
        return _system.function("log2", x)
    return _system.function("log", x) / _system.function("log", base)


def pow(x, y, /):
    return _system.function("pow", x, y)


def atan2(y, x, /):
    return _system.function("atan2", y, x)


def fmod(x, y, /):
    return _system.function("fmod", x, y)


def copysign(x, y, /):
    return _system.function("copysign", x, y)


def trunc(x, /):
    return int(x)


def fabs(x, /):
    return float(abs(x))


def modf(x, /):
    whole = float(int(x))
    return x - whole, whole


def ldexp(x, i, /):
    return x * 2.0**i


def degrees(x, /):
    return x * 180.0 / pi


def radians(x, /):
    return x * pi / 180.0


def isnan(x, /):
    return x != x


def isinf(x, /):
    return x == inf or x == -inf


def isfinite(x, /):
    return not (isnan(x) or isinf(x))


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    return a == b or abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol)


def gcd(*numbers):
    total = 0
    for number in numbers:
        a, b = total, abs(number)
        if _tensorvet.is_unknown(b) or not _known(b):
            return _tensorvet.unknown("a common divisor of sizes", "int")
        while b:
            a, b = b, a % b
        total = a
    return total


def _known(number):
    """Whether a number is more than a name for a size."""
    return str(number).lstrip("-").isdigit()


def lcm(*numbers):
    total = 1
    for number in numbers:
        if number == 0:
            return 0
        total = abs(total * number) // gcd(total, number)
    return total


def prod(numbers, *, start=1):
    for number in numbers:
        start = start * number
    return start


def factorial(n, /):
    if not isinstance(n, int):
        raise TypeError(f"'{type(n).__name__}' object cannot be interpreted as an integer")
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    return prod(range(1, n + 1))


def perm(n, k=None, /):
    return prod(range(n - (n if k is None else k) + 1, n + 1))


def comb(n, k, /):
    if k < 0 or k > n:
        return 0
    total = 1
    for place in range(min(k, n - k)):
        total = total * (n - place) // (place + 1)
    return total


def isqrt(n, /):
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    root = int(sqrt(n))
    while root * root > n:
        root -= 1
    while (root + 1) * (root + 1) <= n:
        root += 1
    return root


def hypot(*coordinates):
    return sqrt(sum(x * x for x in coordinates))


def dist(p, q, /):
    return sqrt(sum((a - b) ** 2 for a, b in zip(p, q)))


def fsum(numbers):
    return float(sum(numbers))


def sumprod(p, q):
    return sum(a * b for a, b in zip(p, q))
