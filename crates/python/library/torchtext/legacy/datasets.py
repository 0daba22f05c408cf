"""Well-known sets of texts: which fields their rows have."""

from torchtext.legacy.data import Dataset


def _split(fields, count=3):
    return tuple([Dataset(None, fields) for _ in range(count)])


class _Pairs(Dataset):
    """Two texts, and what the first says about the second."""

    @classmethod
    def splits(cls, text_field, label_field, parse_field=None, **options):
        fields = [("premise", text_field), ("hypothesis", text_field), ("label", label_field)]
        if parse_field is not None:
            fields = fields + [("premise_transitions", parse_field), ("hypothesis_transitions", parse_field)]
        return _split(fields)


class SNLI(_Pairs):
    pass


class MultiNLI(_Pairs):
    pass


class SST(Dataset):
    @classmethod
    def splits(cls, text_field, label_field, **options):
        return _split([("text", text_field), ("label", label_field)])


class TREC(Dataset):
    @classmethod
    def splits(cls, text_field, label_field, **options):
        return _split([("text", text_field), ("label", label_field)], 2)


class IMDB(TREC):
    pass
