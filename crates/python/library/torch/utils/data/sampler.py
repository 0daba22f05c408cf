"""Samplers: only how many numbers they give is known, and that the first is one of them."""

import _tensorvet


class Sampler:
    def __init__(self, data_source=None):
        self.data_source = data_source

    def __iter__(self):
        raise NotImplementedError

    @classmethod
    def __class_getitem__(cls, kind):
        return cls


class SequentialSampler(Sampler):
    def __iter__(self):
        return iter(range(len(self)))

    def __len__(self):
        return len(self.data_source)


class RandomSampler(SequentialSampler):
    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source, self._count = data_source, num_samples
        if num_samples is not None and num_samples <= 0:
            raise ValueError("num_samples should be a positive integer value, but got num_samples=" + str(num_samples))

    @property
    def num_samples(self):
        return len(self.data_source) if self._count is None else self._count

    def __len__(self):
        return self.num_samples


class SubsetRandomSampler(Sampler):
    def __init__(self, indices, generator=None):
        self.indices = indices

    def __iter__(self):
        return iter(self.indices)

    def __len__(self):
        return len(self.indices)


class WeightedRandomSampler(SequentialSampler):
    def __init__(self, weights, num_samples, replacement=True, generator=None):
        self.weights, self.num_samples = weights, num_samples
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise ValueError("num_samples should be a positive integer value, but got num_samples=" + str(num_samples))

    def __len__(self):
        return self.num_samples


class BatchSampler(Sampler):
    def __init__(self, sampler, batch_size, drop_last):
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError("batch_size should be a positive integer value, but got batch_size=" + str(batch_size))
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self):
        if not _tensorvet.is_number(self.batch_size) or not _tensorvet.is_number(len(self.sampler)):
            yield list(range(self.batch_size))
            return
        batch = []
        for number in self.sampler:
            batch.append(number)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self):
        count = len(self.sampler)
        return count // self.batch_size if self.drop_last else (count + self.batch_size - 1) // self.batch_size
