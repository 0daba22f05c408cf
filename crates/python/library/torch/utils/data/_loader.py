"""Loaders: of few batches each is given; of many, as many full ones as nobody knows, and one for the rest."""

import _tensorvet
from torch.utils.data._collate import collated, default_collate
from torch.utils.data._datasets import IterableDataset
from torch.utils.data.sampler import BatchSampler, RandomSampler, SequentialSampler


# How many batches are told apart.
FEW = 8
# How many batches that a program names itself are looked at.
MANY = 64


class DataLoader:
    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None, pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None, generator=None, *, prefetch_factor=None, persistent_workers=False, pin_memory_device="", in_order=True):
        if num_workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError("prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None.")
        if persistent_workers and num_workers == 0:
            raise ValueError("persistent_workers option needs num_workers > 0")
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        self._streams = not _tensorvet.is_unknown(dataset) and isinstance(dataset, IterableDataset)
        if self._streams and (shuffle or sampler is not None or batch_sampler is not None):
            raise ValueError("DataLoader with IterableDataset: expected unspecified shuffle, sampler and batch_sampler options")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError("batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last")
            batch_size = None
        elif batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        self.dataset, self.batch_size, self.drop_last = dataset, batch_size, drop_last
        self.num_workers, self.pin_memory, self.collate_fn = num_workers, pin_memory, collate_fn
        self._each = batch_size is None and batch_sampler is None
        if shuffle and not _has_length(dataset):
            raise TypeError("object of type '" + type(dataset).__name__ + "' has no len()")
        if sampler is None and not self._streams:
            sampler = RandomSampler(dataset) if shuffle else SequentialSampler(dataset)
        self.sampler = sampler
        self.batch_sampler = BatchSampler(sampler, batch_size, drop_last) if batch_sampler is None and batch_size is not None else batch_sampler

    def _count(self):
        """How many samples there are; None if only walking through them would tell."""
        source = self.dataset if self._streams else self.sampler
        if self._streams and not hasattr(self.dataset, "__len__"):
            return None
        count = len(source)
        if _tensorvet.is_unknown(count):
            count = _tensorvet.symbol("samples", 1, 2147483646, "the number of samples")
        return count

    def __len__(self):
        if self._streams:
            count = len(self.dataset)
            return count if self._each else count // self.batch_size if self.drop_last else (count + self.batch_size - 1) // self.batch_size
        return len(self.sampler) if self._each else len(self.batch_sampler)

    def __iter__(self):
        if _tensorvet.is_unknown(self.dataset):
            return iter([_tensorvet.unknown("a batch of a data set of which nothing is known")])
        if self._each:
            return iter([self._convert(sample) for sample in self._samples()])
        if self.batch_size is None:
            return self._chosen()
        return self._sized()

    def _convert(self, sample):
        return sample if self.collate_fn is None else self.collate_fn(sample)

    def _chosen(self):
        """The batches that a sampler of batches names: the first few, and one that is smaller, stand for all."""
        given, full = 0, None
        for numbers in self.batch_sampler:
            numbers = list(numbers)
            size = len(numbers)
            given += 1
            if given > FEW and size == full:
                continue
            full = size if full is None else full
            if _tensorvet.decided(size == 0) is not False:
                yield _tensorvet.unknown("a batch of samples that only the run will name")
            else:
                yield self._batch(size, [self.dataset[number] for number in numbers[:2]])
            if given > MANY:
                break

    def _sized(self):
        few = self._few()
        if few is not None:
            for size, samples in few:
                self._remark(size)
                yield self._batch(size, samples)
            _tensorvet.circumstance()
            return
        number, last = self._sizes()
        samples = self._samples()
        for _ in _tensorvet.rounds(number):
            self._remark(self.batch_size)
            yield self._batch(self.batch_size, samples)
        if last is not None:
            self._remark(last)
            yield self._batch(last, samples)
        _tensorvet.circumstance()

    def _remark(self, size):
        """Says that a batch is smaller than the others."""
        if _tensorvet.is_number(size) and _tensorvet.is_number(self.batch_size) and size < self.batch_size:
            return _tensorvet.circumstance(size, self.batch_size, "the last batch has " + str(size) + " of " + str(self.batch_size) + " rows: " + self._unset())
        _tensorvet.circumstance()

    def _unset(self):
        line = _tensorvet.made_at(self)
        return "drop_last is not set" + ("" if line is None else " in " + line)

    def _few(self):
        """The sizes of all batches, with the first and the last sample of each; None if there are too many."""
        full, starts = self.batch_size, []
        if not _tensorvet.is_number(full):
            return None
        if self._streams:
            found = []
            for sample in self.dataset:
                if len(found) == FEW * full:
                    return None
                found.append(sample)
            count = len(found)
        else:
            count = self._count()
            if count is None or not _tensorvet.is_number(count) or count > FEW * full:
                return None
            found = self.dataset if isinstance(self.sampler, SequentialSampler) else None
        batches = []
        for start in range(0, count, full):
            size = min(full, count - start)
            if size < full and self.drop_last:
                break
            last = start + size - 1
            samples = self._samples() if found is None else [found[start]] if size == 1 else [found[start], found[last]]
            batches.append((size, samples))
        return batches

    def _sizes(self):
        """How many full batches there are, and the size of the last one if it may be smaller, else None."""
        count, full = self._count(), self.batch_size
        if count is None:
            count = _tensorvet.symbol("samples", 1, 2147483646, "the number of samples")
        rest, last = count % full, None
        if not self.drop_last and _tensorvet.decided(rest == 0) is not True:
            last = rest if _tensorvet.is_number(rest) else _tensorvet.symbol("last_batch", 1, full, "the last batch has what is left of the samples: " + self._unset(), "data")
        return count // full, last

    def _samples(self):
        """Two samples, if there are two, that stand for all."""
        if self._streams:
            found = []
            for sample in self.dataset:
                found.append(sample)
                if len(found) == 2:
                    break
            return found
        first = _first(self.sampler)
        samples = [self.dataset[first]]
        if _tensorvet.decided(first == 0) and not self._each and _tensorvet.decided(len(self.dataset) > 1) is not False:
            samples.append(self.dataset[1])
        return samples

    def _batch(self, size, samples):
        if self.collate_fn is None or self.collate_fn is default_collate:
            return collated(samples, size)
        return self.collate_fn([samples[place % len(samples)] for place in range(size)])


def _first(sampler):
    """The first number of a sampler, or one that is as good."""
    if isinstance(sampler, SequentialSampler):
        return 0
    for number in sampler:
        return number
    return 0


def _has_length(dataset):
    return _tensorvet.is_unknown(dataset) or hasattr(dataset, "__len__")


def get_worker_info():
    return None
