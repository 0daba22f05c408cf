"""Data sets: something with a length whose elements are asked for by number."""

import _tensorvet


class Dataset:
    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other):
        return ConcatDataset([self, other])

    @classmethod
    def __class_getitem__(cls, kind):
        return cls


class IterableDataset(Dataset):
    pass


def _row(tensor, index):
    """A row of a tensor, which knows where it comes from: batches of such rows have numbers of all rows."""
    row = tensor[index]
    if _tensorvet.is_tensor(row) and not hasattr(row, "_whole") and row is not tensor:
        row._whole = tensor
    return row


class TensorDataset(Dataset):
    def __init__(self, *tensors):
        for tensor in tensors[1:]:
            _tensorvet.require("all tensors of a data set have one number of rows", tensor.size(0) == tensors[0].size(0), "shape", tensors[0], tensor, raises=AssertionError)
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple([_row(tensor, index) for tensor in self.tensors])

    def __len__(self):
        return self.tensors[0].size(0)


class StackDataset(Dataset):
    def __init__(self, *args, **kwargs):
        self.datasets = kwargs if kwargs else args

    def __getitem__(self, index):
        if isinstance(self.datasets, dict):
            return {name: dataset[index] for name, dataset in self.datasets.items()}
        return tuple([dataset[index] for dataset in self.datasets])

    def __len__(self):
        return len(list(self.datasets.values() if isinstance(self.datasets, dict) else self.datasets)[0])


class ConcatDataset(Dataset):
    def __init__(self, datasets):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")

    @property
    def cumulative_sizes(self):
        sizes, total = [], 0
        for dataset in self.datasets:
            total = total + len(dataset)
            sizes.append(total)
        return sizes

    def __len__(self):
        return self.cumulative_sizes[-1]

    def __getitem__(self, index):
        for dataset, end in zip(self.datasets, self.cumulative_sizes):
            if index < end:
                return dataset[index - end + len(dataset)]
        raise ValueError("absolute value of index should not exceed dataset length")


class ChainDataset(IterableDataset):
    def __init__(self, datasets):
        self.datasets = datasets

    def __iter__(self):
        for dataset in self.datasets:
            yield from dataset

    def __len__(self):
        return sum([len(dataset) for dataset in self.datasets])


class Subset(Dataset):
    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index):
        return self.dataset[self.indices[index]]

    def __len__(self):
        return len(self.indices)


class _Part(Subset):
    """So many elements of a data set; nobody knows which."""

    def __init__(self, dataset, length):
        self.dataset, self._length = dataset, length

    @property
    def indices(self):
        return _tensorvet.unknown("the numbers of a random part", "list")

    def __getitem__(self, index):
        return self.dataset[index]

    def __len__(self):
        return self._length


def random_split(dataset, lengths, generator=None):
    lengths, total = list(lengths), len(dataset)
    if all([isinstance(length, float) for length in lengths]):
        lengths = _shares(lengths, total)
    _tensorvet.require("the parts of a split add up to the whole data set", sum(lengths) == total, "value", raises=ValueError)
    return [_Part(dataset, length) for length in lengths]


def _shares(fractions, total):
    """So many of each part as its fraction says; what rounding leaves over goes to the first ones, one each."""
    if sum(fractions) > 1.000001:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    lengths = [int(total * fraction) for fraction in fractions]
    left = total - sum(lengths)
    return [length + (1 if place < left else 0) for place, length in enumerate(lengths)] if abs(sum(fractions) - 1) < 1e-6 else lengths
