"""Threads: each does its work where it is started, and waits for nobody."""


class Thread:
    _number = 0

    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        self._target, self._arguments, self._options = target, args, {} if kwargs is None else kwargs
        Thread._number += 1
        self.name, self.daemon, self.ident = name or "Thread-" + str(Thread._number), daemon is True, None

    def run(self):
        if self._target is not None:
            self._target(*self._arguments, **self._options)

    def start(self):
        if self.ident is not None:
            raise RuntimeError("threads can only be started once")
        self.ident = 1
        self.run()

    def join(self, timeout=None):
        if self.ident is None:
            raise RuntimeError("cannot join thread before it is started")

    def is_alive(self):
        return False

    def setDaemon(self, daemon):
        self.daemon = daemon

    def getName(self):
        return self.name


class Timer(Thread):
    def __init__(self, interval, function, args=None, kwargs=None):
        super().__init__(None, function, None, args or (), kwargs)
        self.interval = interval

    def cancel(self):
        return None


class Lock:
    def acquire(self, blocking=True, timeout=-1):
        return True

    def release(self):
        return None

    def locked(self):
        return False

    def __enter__(self):
        return True

    def __exit__(self, *problem):
        return None


class RLock(Lock):
    pass


class Semaphore(Lock):
    def __init__(self, value=1):
        self._value = value


class BoundedSemaphore(Semaphore):
    pass


class Condition(Lock):
    def __init__(self, lock=None):
        self._lock = lock

    def wait(self, timeout=None):
        return True

    def wait_for(self, predicate, timeout=None):
        return predicate()

    def notify(self, n=1):
        return None

    def notify_all(self):
        return None


class Barrier:
    def __init__(self, parties, action=None, timeout=None):
        self.parties = parties

    def wait(self, timeout=None):
        return 0


class Event:
    def __init__(self):
        self._is_set = False

    def set(self):
        self._is_set = True

    def clear(self):
        self._is_set = False

    def is_set(self):
        return self._is_set

    def wait(self, timeout=None):
        return True


class local:
    pass


_main = Thread(name="MainThread")


def current_thread():
    return _main


main_thread = current_thread


def get_ident():
    return 1


def active_count():
    return 1
