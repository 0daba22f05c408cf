"""Exact quotients."""

from math import gcd


class Fraction:
    def __init__(self, numerator=0, denominator=None):
        if isinstance(numerator, str):
            above, _, below = numerator.partition("/")
            if "." in above:
                numerator, denominator = float(above).as_integer_ratio()
            else:
                numerator, denominator = int(above), int(below) if below else 1
        elif isinstance(numerator, float):
            numerator, denominator = numerator.as_integer_ratio()
        elif isinstance(numerator, Fraction):
            numerator, denominator = numerator.numerator, numerator.denominator * (denominator or 1)
        denominator = 1 if denominator is None else denominator
        if denominator == 0:
            raise ZeroDivisionError(f"Fraction({numerator}, 0)")
        common = gcd(numerator, denominator) * (-1 if denominator < 0 else 1)
        self.numerator, self.denominator = numerator // common, denominator // common

    def _other(self, other):
        return other if isinstance(other, Fraction) else Fraction(other)

    def __add__(self, other):
        other = self._other(other)
        return Fraction(self.numerator * other.denominator + other.numerator * self.denominator, self.denominator * other.denominator)

    __radd__ = __add__

    def __neg__(self):
        return Fraction(-self.numerator, self.denominator)

    def __sub__(self, other):
        return self + -self._other(other)

    def __rsub__(self, other):
        return self._other(other) - self

    def __mul__(self, other):
        other = self._other(other)
        return Fraction(self.numerator * other.numerator, self.denominator * other.denominator)

    __rmul__ = __mul__

    def __truediv__(self, other):
        other = self._other(other)
        return Fraction(self.numerator * other.denominator, self.denominator * other.numerator)

    def __rtruediv__(self, other):
        return self._other(other) / self

    def __pow__(self, power):
        return Fraction(self.numerator**power, self.denominator**power)

    def __floordiv__(self, other):
        quotient = self / other
        return quotient.numerator // quotient.denominator

    def __abs__(self):
        return Fraction(abs(self.numerator), self.denominator)

    def __float__(self):
        return self.numerator / self.denominator

    def __int__(self):
        return int(self.numerator / self.denominator)

    def __eq__(self, other):
        if not isinstance(other, (int, float, Fraction)):
            return False
        other = self._other(other)
        return self.numerator == other.numerator and self.denominator == other.denominator

    def __lt__(self, other):
        other = self._other(other)
        return self.numerator * other.denominator < other.numerator * self.denominator

    def __le__(self, other):
        return self < other or self == other

    def __gt__(self, other):
        return not self <= other

    def __ge__(self, other):
        return not self < other

    def __bool__(self):
        return self.numerator != 0

    def __hash__(self):
        return hash((self.numerator, self.denominator))

    def __floor__(self):
        return self.numerator // self.denominator

    def __ceil__(self):
        return -(-self.numerator // self.denominator)

    def __str__(self):
        return str(self.numerator) if self.denominator == 1 else f"{self.numerator}/{self.denominator}"

    def __repr__(self):
        return f"Fraction({self.numerator}, {self.denominator})"
