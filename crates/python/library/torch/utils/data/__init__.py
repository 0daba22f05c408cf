"""Data sets, and loaders that make batches of them."""

import _tensorvet
from _tensorvet import require
from torch import _functions as f
from torch._creation import tensor
from torch._rules import kind_of, made


class Dataset:
    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset):
    def __iter__(self):
        raise NotImplementedError("Subclasses of IterableDataset should implement __iter__.")


class TensorDataset(Dataset):
    def __init__(self, *tensors):
        for each in tensors:
            require("the tensors of a data set are equally long", each.shape[0] == tensors[0].shape[0], "shape", tensors[0], each)
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple([each[index] for each in self.tensors])

    def __len__(self):
        return self.tensors[0].shape[0]


class Subset(Dataset):
    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index):
        return self.dataset[self.indices[index] if isinstance(self.indices, (list, tuple)) else index]

    def __len__(self):
        return len(self.indices)


class _Part(Subset):
    """As many elements of a data set as a split says; which ones is random."""

    def __init__(self, dataset, length):
        self.dataset, self.indices, self.length = dataset, None, length

    def __len__(self):
        return self.length


class ConcatDataset(Dataset):
    def __init__(self, datasets):
        self.datasets = list(datasets)

    def __getitem__(self, index):
        return self.datasets[0][index]

    def __len__(self):
        total = 0
        for dataset in self.datasets:
            total = total + len(dataset)
        return total


def random_split(dataset, lengths, generator=None):
    lengths = list(lengths)
    size = len(dataset)
    if all([isinstance(length, float) for length in lengths]):
        lengths = [int(size * length) for length in lengths]
        lengths[0] = size - sum(lengths[1:])
    total = 0
    for length in lengths:
        total = total + length
    require("the parts make up the data set", total == size, "value")
    return [_Part(dataset, length) for length in lengths]


class Sampler:
    def __init__(self, data_source=None):
        self.data_source = data_source

    def __len__(self):
        return len(self.data_source)


class SequentialSampler(Sampler):
    def __iter__(self):
        return iter(range(len(self.data_source)))


class RandomSampler(SequentialSampler):
    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source, self.num_samples = data_source, num_samples

    def __len__(self):
        return len(self.data_source) if self.num_samples is None else self.num_samples


class SubsetRandomSampler(Sampler):
    def __init__(self, indices, generator=None):
        self.data_source = indices


class WeightedRandomSampler(Sampler):
    def __init__(self, weights, num_samples, replacement=True, generator=None):
        self.data_source, self.num_samples = weights, num_samples

    def __len__(self):
        return self.num_samples


class DistributedSampler(Sampler):
    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        self.data_source = dataset

    def set_epoch(self, epoch):
        return None


class BatchSampler(Sampler):
    def __init__(self, sampler, batch_size, drop_last):
        self.data_source, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __len__(self):
        size = len(self.data_source)
        return size // self.batch_size if self.drop_last else (size + self.batch_size - 1) // self.batch_size


def collated(sample, size):
    """A batch of samples that look like this one."""
    if _tensorvet.is_tensor(sample):
        return made(kind_of(sample), [size, *sample.shape])
    if isinstance(sample, dict):
        return {key: collated(value, size) for key, value in sample.items()}
    if isinstance(sample, (tuple, list)):
        return [collated(value, size) for value in sample]
    if isinstance(sample, float):
        return made("f64", [size])
    if isinstance(sample, int):
        return made("i64", [size])
    return _tensorvet.unknown("a batch of something that is no tensor")


def default_collate(batch):
    return collated(batch[0], len(batch))


class DataLoader:
    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None, pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None, generator=None, *, prefetch_factor=None, persistent_workers=False, pin_memory_device="", in_order=True):
        if batch_sampler is not None:
            batch_size, drop_last = batch_sampler.batch_size, batch_sampler.drop_last
        require("a batch has at least one sample", batch_size is None or batch_size > 0, "value")
        require("a sampler takes the place of shuffling", sampler is None or not shuffle, "value")
        self.dataset, self.batch_size, self.collate_fn, self.drop_last = dataset, batch_size, collate_fn, drop_last
        self.sampler = (RandomSampler if shuffle else SequentialSampler)(dataset) if sampler is None else sampler
        self.batch_sampler, self.num_workers = batch_sampler, num_workers

    def _length(self):
        return len(self.dataset) if isinstance(self.sampler, (SequentialSampler, RandomSampler)) else len(self.sampler)

    def __len__(self):
        if self.batch_size is None:
            return self._length()
        size = self._length()
        return size // self.batch_size if self.drop_last else (size + self.batch_size - 1) // self.batch_size

    def _batch(self, size):
        if self.collate_fn is not None:
            return self.collate_fn([self._sample() for _ in range(min(size, 2))]) if isinstance(size, int) and size <= 2 else _tensorvet.unknown("what a collate function makes of a batch")
        return collated(self._sample(), size)

    def _sample(self):
        if isinstance(self.dataset, IterableDataset):
            return next(iter(self.dataset))
        return self.dataset[0]

    def __iter__(self):
        """A regular batch, and the shorter last one where there can be one."""
        if self.batch_size is None:
            return iter([self._sample()])
        if isinstance(self.dataset, IterableDataset):
            return iter([self._batch(self.batch_size)])
        rest = self._length() % self.batch_size
        batches = [self._batch(self.batch_size)]
        if not self.drop_last and rest != 0:
            batches.append(self._batch(rest))
        return iter(batches)


def get_worker_info():
    return None
