"""Logs: nothing is written, levels are kept."""

CRITICAL = FATAL = 50
ERROR, WARNING, INFO, DEBUG, NOTSET = 40, 30, 20, 10, 0
WARN = WARNING


class Filterer:
    def addFilter(self, filter):
        return None

    removeFilter = addFilter


class Handler(Filterer):
    def __init__(self, *arguments, **options):
        self.level = options.get("level", NOTSET)

    def setLevel(self, level):
        self.level = level

    def setFormatter(self, formatter):
        self.formatter = formatter

    def emit(self, record):
        return None

    handle = emit

    def flush(self):
        return None

    close = acquire = release = flush


class StreamHandler(Handler):
    pass


class FileHandler(Handler):
    pass


class NullHandler(Handler):
    pass


class Formatter:
    def __init__(self, *arguments, **options):
        return None

    def format(self, record):
        return ""


class Filter:
    def __init__(self, name=""):
        self.name = name

    def filter(self, record):
        return True


class LogRecord:
    pass


class Logger(Filterer):
    def __init__(self, name, level=NOTSET):
        self.name, self.level = name, level
        self.handlers, self.propagate, self.disabled, self.parent = [], True, False, None

    def setLevel(self, level):
        self.level = level

    def getEffectiveLevel(self):
        return self.level or WARNING

    def isEnabledFor(self, level):
        return level >= self.getEffectiveLevel()

    def addHandler(self, handler):
        self.handlers.append(handler)

    def removeHandler(self, handler):
        if handler in self.handlers:
            self.handlers.remove(handler)

    def hasHandlers(self):
        return len(self.handlers) > 0

    def getChild(self, name):
        return getLogger(f"{self.name}.{name}")

    def debug(self, message, *arguments, **options):
        return None

    info = warning = warn = error = critical = fatal = exception = debug

    def log(self, level, message, *arguments, **options):
        return None


class LoggerAdapter(Logger):
    def __init__(self, logger, extra=None):
        super().__init__(logger.name)
        self.logger, self.extra = logger, extra


_loggers = {}
root = Logger("root", WARNING)


def getLogger(name=None):
    if not name:
        return root
    if name not in _loggers:
        _loggers[name] = Logger(name)
    return _loggers[name]


def debug(message, *arguments, **options):
    return None


info = warning = warn = error = critical = fatal = exception = debug


def log(level, message, *arguments, **options):
    return None


def basicConfig(**options):
    return None


def disable(level=CRITICAL):
    return None


def shutdown():
    return None


def captureWarnings(capture):
    return None


def setLoggerClass(kind):
    return None


def getLoggerClass():
    return Logger


def addLevelName(level, name):
    return None


_names = {CRITICAL: "CRITICAL", ERROR: "ERROR", WARNING: "WARNING", INFO: "INFO", DEBUG: "DEBUG", NOTSET: "NOTSET"}


def getLevelName(level):
    if level in _names:
        return _names[level]
    for number, name in _names.items():
        if name == level:
            return number
    return f"Level {level}"
