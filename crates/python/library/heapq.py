"""Heaps, as lists whose first element is the smallest. The order of the rest is our own."""

from bisect import insort


def heapify(heap):
    heap.sort()


def heappush(heap, item):
    insort(heap, item)


def heappop(heap):
    if not heap:
        raise IndexError("index out of range")
    return heap.pop(0)


def heappushpop(heap, item):
    heappush(heap, item)
    return heappop(heap)


def heapreplace(heap, item):
    smallest = heappop(heap)
    heappush(heap, item)
    return smallest


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:n]


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:n]


def merge(*iterables, key=None, reverse=False):
    every = [value for iterable in iterables for value in iterable]
    return iter(sorted(every, key=key, reverse=reverse))
