"""Fields say how a column becomes a tensor; iterators give batches with an attribute per column."""

import _tensorvet
import torch


class Vocab:
    """Words with numbers: how many there are, only the data would tell."""

    def __init__(self, specials):
        self._length = _tensorvet.symbol("words", max(1, specials), 2147483646, "the number of words in a vocabulary")
        self.vectors = None

    def __len__(self):
        return self._length

    @property
    def itos(self):
        return _tensorvet.many(_tensorvet.unknown("a word", "str"), self._length)

    @property
    def stoi(self):
        return _tensorvet.unknown("the numbers of words", "dict")

    @property
    def freqs(self):
        return _tensorvet.unknown("how often words come", "dict")

    def load_vectors(self, vectors, **options):
        self.vectors = torch.empty(self._length, _width(vectors))

    def set_vectors(self, stoi, vectors, dim, unk_init=None):
        self.vectors = torch.empty(self._length, dim)


def _width(vectors):
    """How long vectors of a well-known name are: `glove.6B.100d` has 100 numbers."""
    if isinstance(vectors, str):
        last = vectors.split(".")[-1]
        if last.endswith("d") and last[:-1].isdigit():
            return int(last[:-1])
    return _tensorvet.symbol("width", 1, 2147483646, "the length of word vectors")


class RawField:
    def __init__(self, preprocessing=None, postprocessing=None, is_target=False):
        self.preprocessing, self.postprocessing, self.is_target = preprocessing, postprocessing, is_target


class Field(RawField):
    def __init__(self, sequential=True, use_vocab=True, init_token=None, eos_token=None, fix_length=None, dtype=torch.long, preprocessing=None, postprocessing=None, lower=False, tokenize=None, tokenizer_language="en", include_lengths=False, batch_first=False, pad_token="<pad>", unk_token="<unk>", pad_first=False, truncate_first=False, stop_words=None, is_target=False):
        super().__init__(preprocessing, postprocessing, is_target)
        self.sequential, self.use_vocab, self.dtype = sequential, use_vocab, dtype
        self.init_token, self.eos_token, self.pad_token, self.unk_token = init_token, eos_token, pad_token, unk_token
        self.fix_length, self.include_lengths, self.batch_first, self.lower = fix_length, include_lengths, batch_first, lower

    def build_vocab(self, *args, max_size=None, min_freq=1, vectors=None, **options):
        specials = [token for token in (self.unk_token, self.pad_token, self.init_token, self.eos_token) if token is not None]
        self.vocab = Vocab(len(specials))
        if vectors is not None:
            self.vocab.load_vectors(vectors)

    def _tensor(self, rows):
        """The column of a batch with so many rows."""
        if not self.sequential:
            return torch.empty(rows, dtype=self.dtype)
        length = self.fix_length
        if length is None:
            length = _tensorvet.symbol("tokens", 1, 2147483646, "the length of the longest text in a batch")
        sizes = [rows, length] if self.batch_first else [length, rows]
        column = torch.empty(*sizes, dtype=self.dtype)
        return (column, torch.empty(rows, dtype=torch.long)) if self.include_lengths else column


class LabelField(Field):
    def __init__(self, **options):
        super().__init__(**{"sequential": False, "unk_token": None, "is_target": True, **options})


class Dataset:
    """Rows of which the fields are known."""

    def __init__(self, examples, fields, filter_pred=None):
        self.examples = examples
        self.fields = dict([pair for pair in fields if isinstance(pair[0], str)])

    def __len__(self):
        return _tensorvet.symbol("samples", 1, 2147483646, "the number of samples")


class Batch:
    def __init__(self, dataset, rows):
        self.batch_size, self.dataset = rows, dataset
        for name, field in dataset.fields.items():
            if field is not None:
                setattr(self, name, field._tensor(rows))

    def __len__(self):
        return self.batch_size


class Iterator:
    def __init__(self, dataset, batch_size, sort_key=None, device=None, batch_size_fn=None, train=True, repeat=False, shuffle=None, sort=None, sort_within_batch=None):
        self.dataset, self.batch_size, self.train, self.repeat, self.device = dataset, batch_size, train, repeat, device
        self.iterations = 0

    @classmethod
    def splits(cls, datasets, batch_sizes=None, **options):
        sizes = batch_sizes or [options.pop("batch_size")] * len(datasets)
        options.pop("batch_size", None)
        return tuple([cls(dataset, size, train=place == 0, **options) for place, (dataset, size) in enumerate(zip(datasets, sizes))])

    def init_epoch(self):
        return None

    @property
    def epoch(self):
        return _tensorvet.unknown("how many epochs are over", "float")

    def __len__(self):
        return _tensorvet.symbol("batches", 1, 2147483646, "the number of batches")

    def __iter__(self):
        for _ in _tensorvet.rounds(len(self)):
            yield Batch(self.dataset, self.batch_size)
        yield Batch(self.dataset, _tensorvet.symbol("last_batch", 1, self.batch_size, "the last batch has what is left of the samples", "data"))


class BucketIterator(Iterator):
    pass
