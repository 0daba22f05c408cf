"""Dates: stretches of time are exact, when it is now is not known."""

import _tensorvet

MINYEAR, MAXYEAR = 1, 9999


class timedelta:
    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        total = seconds + minutes * 60 + hours * 3600 + (days + weeks * 7) * 86400
        self._total = total + milliseconds / 1000 + microseconds / 1000000 if milliseconds or microseconds else total

    @property
    def days(self):
        return int(self._total // 86400)

    @property
    def seconds(self):
        return int(self._total % 86400)

    @property
    def microseconds(self):
        return int(round((self._total % 1) * 1000000))

    def total_seconds(self):
        return float(self._total)

    def __add__(self, other):
        return timedelta(seconds=self._total + other._total) if isinstance(other, timedelta) else NotImplemented

    def __sub__(self, other):
        return timedelta(seconds=self._total - other._total)

    def __mul__(self, factor):
        return timedelta(seconds=self._total * factor)

    __rmul__ = __mul__

    def __truediv__(self, other):
        if isinstance(other, timedelta):
            return self._total / other._total
        return timedelta(seconds=self._total / other)

    def __neg__(self):
        return timedelta(seconds=-self._total)

    def __eq__(self, other):
        return isinstance(other, timedelta) and self._total == other._total

    def __lt__(self, other):
        return self._total < other._total

    def __le__(self, other):
        return self._total <= other._total

    def __hash__(self):
        return hash(self._total)

    def __bool__(self):
        return self._total != 0

    def __str__(self):
        rest = int(self._total % 86400)
        text = f"{rest // 3600}:{rest // 60 % 60:02d}:{rest % 60:02d}"
        if self.days:
            return f"{self.days} day{'' if abs(self.days) == 1 else 's'}, {text}"
        return text


class tzinfo:
    pass


class timezone(tzinfo):
    def __init__(self, offset=None, name=None):
        self.offset = offset


timezone.utc = timezone()
UTC = timezone.utc


class date:
    def __init__(self, year=None, month=None, day=None):
        self.year, self.month, self.day = year, month, day

    @classmethod
    def today(cls):
        return _now()

    @classmethod
    def fromisoformat(cls, text):
        return _now()

    def strftime(self, format):
        return _tensorvet.unknown("a date", "str")

    def isoformat(self, *arguments):
        return _tensorvet.unknown("a date", "str")

    def __str__(self):
        return self.isoformat()

    def __format__(self, specification):
        return self.isoformat()

    def weekday(self):
        return _tensorvet.unknown("a day", "int")

    def timestamp(self):
        return _tensorvet.unknown("a time", "float")

    def replace(self, **changes):
        return _now()

    def date(self):
        return _now()

    time = astimezone = date

    def __add__(self, other):
        return _now()

    __radd__ = __add__

    def __sub__(self, other):
        return _now() if isinstance(other, timedelta) else timedelta(seconds=_tensorvet.unknown("a stretch of time", "float"))


def _now():
    part = _tensorvet.unknown("when the program runs", "int")
    return datetime(part, part, part)


class datetime(date):
    def __init__(self, year=None, month=None, day=None, hour=0, minute=0, second=0, microsecond=0, tzinfo=None):
        super().__init__(year, month, day)
        self.hour, self.minute, self.second, self.microsecond = hour, minute, second, microsecond
        self.tzinfo = tzinfo

    @classmethod
    def now(cls, tz=None):
        return _now()

    utcnow = now

    @classmethod
    def fromtimestamp(cls, when, tz=None):
        return _now()

    utcfromtimestamp = fromtimestamp

    @classmethod
    def strptime(cls, text, format):
        return _now()


class time(date):
    pass
