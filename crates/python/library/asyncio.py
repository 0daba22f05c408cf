"""Coroutines run when they are called, so waiting for them is giving what they gave."""

import _tensorvet


def run(main, **options):
    return main


def gather(*values, return_exceptions=False):
    return list(values)


def create_task(value, **options):
    return value


ensure_future = create_task


def wait_for(value, timeout=None):
    return value


def sleep(delay, result=None):
    return result


class Loop:
    def run_until_complete(self, value):
        return value

    def create_task(self, value, **options):
        return value

    def run_in_executor(self, executor, function, *arguments):
        return function(*arguments)

    def close(self):
        return None


def get_event_loop():
    return Loop()


new_event_loop = get_running_loop = get_event_loop


def set_event_loop(loop):
    return None


class Lock:
    def __init__(self, *arguments):
        return None

    def __aenter__(self):
        return self

    def __aexit__(self, *error):
        return None


Semaphore = Event = Condition = Lock


def iscoroutinefunction(function):
    return _tensorvet.unknown("whether a function is asynchronous", "bool")


def to_thread(function, /, *arguments, **options):
    return function(*arguments, **options)
