"""What is handed out is done at once."""


class Future:
    def __init__(self, value):
        self.value = value

    def result(self, timeout=None):
        return self.value

    def exception(self, timeout=None):
        return None

    def done(self):
        return True

    def add_done_callback(self, function):
        function(self)


class Executor:
    def __init__(self, max_workers=None, **options):
        return None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def submit(self, function, /, *arguments, **options):
        return Future(function(*arguments, **options))

    def map(self, function, *iterables, timeout=None, chunksize=1):
        return iter([function(*arguments) for arguments in zip(*iterables)])

    def shutdown(self, *arguments, **options):
        return None


ThreadPoolExecutor = ProcessPoolExecutor = Executor


def as_completed(futures, timeout=None):
    return iter(list(futures))


def wait(futures, timeout=None, return_when=None):
    return set(futures), set()


class TimeoutError(Exception):
    pass
