"""Progress bars: what is walked through passes as it is."""


class tqdm:
    disable = False

    def __init__(self, iterable=None, desc=None, total=None, *arguments, **options):
        self.iterable, self.desc, self.total, self.n = iterable, desc, total, 0

    def __iter__(self):
        return iter(self.iterable)

    def __len__(self):
        return len(self.iterable) if self.iterable is not None else self.total

    def __bool__(self):
        return True

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def update(self, n=1):
        return None

    def close(self):
        return None

    refresh = reset = clear = close

    def set_description(self, desc=None, refresh=True):
        self.desc = desc

    def set_postfix(self, ordered_dict=None, refresh=True, **values):
        return None

    set_description_str = set_postfix_str = set_description

    @classmethod
    def write(cls, text, *arguments, **options):
        return None

    @classmethod
    def pandas(cls, *arguments, **options):
        return None


def trange(*arguments, **options):
    return tqdm(range(*arguments), **options)


tqdm_notebook, tnrange = tqdm, trange
