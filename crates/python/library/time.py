"""Clocks: when it is, only the run will tell."""

import _tensorvet


def time():
    return _tensorvet.unknown("the time", "float")


perf_counter = monotonic = process_time = thread_time = time


def time_ns():
    return _tensorvet.unknown("the time", "int")


perf_counter_ns = monotonic_ns = process_time_ns = time_ns


def sleep(seconds):
    return None


def strftime(format, when=None):
    return _tensorvet.unknown("the time", "str")


def ctime(when=None):
    return _tensorvet.unknown("the time", "str")


asctime = ctime


class struct_time:
    tm_year = tm_mon = tm_mday = tm_hour = tm_min = tm_sec = tm_wday = tm_yday = 1


def localtime(when=None):
    return struct_time()


gmtime = localtime


def strptime(text, format=""):
    return struct_time()


def mktime(when):
    return _tensorvet.unknown("the time", "float")


timezone = 0
