"""Coroutines run one after the other, when somebody waits for them."""

import _system
import _tensorvet


def run(main, **options):
    return _system.awaited(main)


def gather(*values, return_exceptions=False):
    return [_system.awaited(value) for value in values]


def create_task(value, **options):
    return _system.awaited(value)


ensure_future = create_task


def wait_for(value, timeout=None):
    return _system.awaited(value)


def sleep(delay, result=None):
    return result


class Loop:
    def run_until_complete(self, value):
        return _system.awaited(value)

    def create_task(self, value, **options):
        return _system.awaited(value)

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
