"""References that count like any other here."""


class ref:
    def __init__(self, thing, callback=None):
        self.thing = thing

    def __call__(self):
        return self.thing


WeakMethod = ReferenceType = ref


def proxy(thing, callback=None):
    return thing


class WeakKeyDictionary(dict):
    pass


class WeakValueDictionary(dict):
    pass


class WeakSet(set):
    pass


class finalize:
    def __init__(self, thing, function, /, *arguments, **options):
        self.alive = True

    def __call__(self):
        return None

    detach = __call__
