"""Iterators of iterators."""


def count(start=0, step=1):
    while True:
        yield start
        start = start + step


def cycle(iterable):
    held = []
    for value in iterable:
        yield value
        held.append(value)
    while held:
        for value in held:
            yield value


def repeat(value, times=None):
    if times is None:
        while True:
            yield value
    for _ in range(times):
        yield value


class chain:
    def __init__(self, *iterables):
        self.walk = _chained(iterables)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.walk)

    @classmethod
    def from_iterable(cls, iterables):
        made = cls()
        made.walk = _chained(iterables)
        return made


def _chained(iterables):
    for iterable in iterables:
        for value in iterable:
            yield value


def islice(iterable, *limits):
    limits = slice(*limits)
    start = 0 if limits.start is None else limits.start
    step = 1 if limits.step is None else limits.step
    place = 0
    wanted = start
    iterator = iter(iterable)
    while limits.stop is None or wanted < limits.stop:
        for value in iterator:
            place += 1
            if place > wanted:
                yield value
                break
        else:
            return
        wanted += step


def accumulate(iterable, func=None, *, initial=None):
    total = initial
    started = initial is not None
    if started:
        yield total
    for value in iterable:
        if not started:
            total, started = value, True
        else:
            total = total + value if func is None else func(total, value)
        yield total


def product(*iterables, repeat=1):
    pools = [tuple(iterable) for iterable in iterables] * repeat
    found = [()]
    for pool in pools:
        found = [chosen + (value,) for chosen in found for value in pool]
    return iter(found)


def _chosen(pool, r, places, ordered, again):
    if len(places) == r:
        yield tuple(pool[place] for place in places)
        return
    start = 0 if ordered or not places else places[-1]
    for place in range(start, len(pool)):
        if again or place not in places:
            for found in _chosen(pool, r, places + [place], ordered, again):
                yield found


def permutations(iterable, r=None):
    pool = tuple(iterable)
    return _chosen(pool, len(pool) if r is None else r, [], True, False)


def combinations(iterable, r):
    return _chosen(tuple(iterable), r, [], False, False)


def combinations_with_replacement(iterable, r):
    return _chosen(tuple(iterable), r, [], False, True)


def takewhile(predicate, iterable):
    for value in iterable:
        if not predicate(value):
            return
        yield value


def dropwhile(predicate, iterable):
    iterator = iter(iterable)
    for value in iterator:
        if not predicate(value):
            yield value
            break
    for value in iterator:
        yield value


def filterfalse(predicate, iterable):
    for value in iterable:
        if not (predicate(value) if predicate is not None else value):
            yield value


def starmap(function, iterable):
    for arguments in iterable:
        yield function(*arguments)


def compress(data, selectors):
    for value, chosen in zip(data, selectors):
        if chosen:
            yield value


def pairwise(iterable):
    iterator = iter(iterable)
    for before in iterator:
        for value in iterator:
            yield before, value
            before = value


def batched(iterable, n):
    held = []
    for value in iterable:
        held.append(value)
        if len(held) == n:
            yield tuple(held)
            held = []
    if held:
        yield tuple(held)


def zip_longest(*iterables, fillvalue=None):
    iterators = [iter(iterable) for iterable in iterables]
    missing = object()
    while True:
        values = [next(iterator, missing) for iterator in iterators]
        if all(value is missing for value in values):
            return
        yield tuple(fillvalue if value is missing else value for value in values)


def tee(iterable, n=2):
    held = list(iterable)
    return tuple(iter(held) for _ in range(n))


def groupby(iterable, key=None):
    group, before, started = [], None, False
    for value in iterable:
        now = value if key is None else key(value)
        if started and now != before:
            yield before, iter(group)
            group = []
        group.append(value)
        before, started = now, True
    if started:
        yield before, iter(group)
