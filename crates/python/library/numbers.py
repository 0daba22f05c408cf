"""The tower of numbers, as classes to ask for."""


class _Kinds(type):
    def __instancecheck__(cls, value):
        return isinstance(value, cls._kinds) or cls in type(value).__mro__

    def register(cls, kind):
        cls._kinds = cls._kinds + (kind,)
        return kind


class Number(metaclass=_Kinds):
    _kinds = (int, float)


class Complex(Number):
    pass


class Real(Complex):
    pass


class Rational(Real):
    _kinds = (int,)


class Integral(Rational):
    pass
