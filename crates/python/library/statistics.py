"""Averages."""

from math import sqrt


class StatisticsError(ValueError):
    pass


def _values(data):
    data = list(data)
    if not data:
        raise StatisticsError("no data points")
    return data


def mean(data):
    data = _values(data)
    total = sum(data) / len(data)
    return int(total) if total == int(total) and all(isinstance(value, int) for value in data) else total


def fmean(data, weights=None):
    data = _values(data)
    return float(sum(data)) / len(data)


def median(data):
    data = sorted(_values(data))
    half = len(data) // 2
    return data[half] if len(data) % 2 else (data[half - 1] + data[half]) / 2


def median_low(data):
    return sorted(_values(data))[(len(data) - 1) // 2]


def median_high(data):
    return sorted(_values(data))[len(data) // 2]


def mode(data):
    data = _values(data)
    return max(data, key=data.count)


def pvariance(data, mu=None):
    data = _values(data)
    middle = mean(data) if mu is None else mu
    return sum((value - middle) ** 2 for value in data) / len(data)


def variance(data, xbar=None):
    data = list(data)
    if len(data) < 2:
        raise StatisticsError("variance requires at least two data points")
    return pvariance(data, xbar) * len(data) / (len(data) - 1)


def pstdev(data, mu=None):
    return sqrt(pvariance(data, mu))


def stdev(data, xbar=None):
    return sqrt(variance(data, xbar))
