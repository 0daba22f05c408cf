"""Distributions by the shapes of their parameters: batches of events."""

import _tensorvet
from _tensorvet import made
from torch import _chances, _types
from torch._rules import kind_of


def _tensors(values):
    """Numbers and tensors as tensors of one shape."""
    from torch import broadcast_tensors

    made_of = [value if _tensorvet.is_tensor(value) else _tensorvet.constant(_types.DEFAULT["float"], [], [value]) for value in values]
    return list(broadcast_tensors(*made_of)) if len(made_of) > 1 else made_of


class Distribution:
    has_rsample = True

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None, kind=None):
        self._batch, self._event, self._kind = list(batch_shape), list(event_shape), kind or _types.DEFAULT["float"]

    @property
    def batch_shape(self):
        from torch import Size

        return Size(self._batch)

    @property
    def event_shape(self):
        from torch import Size

        return Size(self._event)

    def _made(self, sizes, kind=None):
        return made(self._kind if kind is None else kind, sizes)

    def _parameters(self):
        """The tensors that it was made of."""
        held = list(vars(self).values())
        inner = [each._parameters() for each in held if isinstance(each, Distribution)]
        return [each for each in held if _tensorvet.is_tensor(each)] + [each for parameters in inner for each in parameters]

    def _flowing(self, result, *given):
        """What gradients flow through to the parameters, and to what was given."""
        parameters = self._parameters()
        return _tensorvet.derived(result, *given, *parameters) if parameters else result

    @property
    def mean(self):
        return self._made(self._batch + self._event)

    @property
    def variance(self):
        return self.mean

    @property
    def stddev(self):
        return self.mean

    @property
    def mode(self):
        return self.mean

    def _drawn(self, sample_shape):
        return self._made([*sample_shape, *self._batch, *self._event])

    def sample(self, sample_shape=()):
        return _tensorvet.leaf(self._drawn(sample_shape), False)

    def rsample(self, sample_shape=()):
        if not self.has_rsample:
            raise NotImplementedError
        return self._flowing(self._moved(self._drawn(sample_shape)))

    def _moved(self, result):
        """Draws with their elements, where these are asked for and known how to come by."""
        return result

    def sample_n(self, n):
        return self.sample((n,))

    def log_prob(self, value):
        """Broadcasts over batches; the axes of events are summed up."""
        shape, rank = list(value.shape), len(self._event)
        _tensorvet.require("a value has the axes of an event", len(shape) >= rank, "shape", value, raises=ValueError)
        tail = shape[len(shape) - rank :]
        for size, own in zip(tail, self._event):
            _tensorvet.require("a value has the sizes of an event", size == own or size == 1 or own == 1, "shape", value, raises=ValueError)
        result = _tensorvet.broadcast(self._kind, [made(self._kind, shape[: len(shape) - rank]), self._made(self._batch)], "log_prob")
        return _tensorvet.saved(self._flowing(self._density(value, result), value))

    def _density(self, value, result):
        """The logarithm of the density with its elements, where these are asked for and known how to come by."""
        return result

    def cdf(self, value):
        return _tensorvet.broadcast(self._kind, [value, self._made(self._batch)], "cdf")

    icdf = cdf

    def prob(self, value):
        return self.log_prob(value)

    def entropy(self):
        return self._made(self._batch)

    def perplexity(self):
        return self._made(self._batch)

    def expand(self, batch_shape, _instance=None):
        return Distribution(batch_shape, self._event, kind=self._kind)

    def enumerate_support(self, expand=True):
        return _tensorvet.unknown("all values of a distribution")


# Distributions of single numbers: their parameters broadcast.
_SCALAR = {
    "Normal": dict(loc=None, scale=None),
    "Laplace": dict(loc=None, scale=None),
    "Cauchy": dict(loc=None, scale=None),
    "Gumbel": dict(loc=None, scale=None),
    "LogNormal": dict(loc=None, scale=None),
    "Uniform": dict(low=None, high=None),
    "Beta": dict(concentration1=None, concentration0=None),
    "Gamma": dict(concentration=None, rate=None),
    "InverseGamma": dict(concentration=None, rate=None),
    "Chi2": dict(df=None),
    "StudentT": dict(df=None, loc=0.0, scale=1.0),
    "FisherSnedecor": dict(df1=None, df2=None),
    "Exponential": dict(rate=None),
    "HalfNormal": dict(scale=None),
    "HalfCauchy": dict(scale=None),
    "Weibull": dict(scale=None, concentration=None),
    "Pareto": dict(scale=None, alpha=None),
    "Kumaraswamy": dict(concentration1=None, concentration0=None),
    "VonMises": dict(loc=None, concentration=None),
    "Poisson": dict(rate=None),
}


def _scalar(name, parameters):
    words = list(parameters)

    def __init__(self, *values, validate_args=None, **options):
        chosen = dict(zip(words, values))
        chosen.update(options)
        for word, value in parameters.items():
            if word not in chosen and value is None:
                raise TypeError(name + ".__init__() missing 1 required positional argument: '" + word + "'")
        for word in chosen:
            if word not in parameters:
                raise TypeError(name + ".__init__() got an unexpected keyword argument '" + word + "'")
        tensors = _tensors([chosen.get(word, parameters[word]) for word in words])
        for word, tensor in zip(words, tensors):
            setattr(self, word, tensor)
        _chances.positive(*[getattr(self, word) for word in _chances.DENSITIES.get(name, (None, ()))[1]])
        Distribution.__init__(self, tensors[0].shape, (), kind=kind_of(tensors[0]))

    def _given(self):
        return [getattr(self, word) for word in words]

    def _density(self, value, result):
        return _chances.density(name, value, _given(self), result)

    def _moved(self, result):
        return _chances.drawn(name, _given(self), result)

    def entropy(self):
        return self._flowing(_chances.entropy(name, _given(self), self._made(self._batch)))

    return type(name, (Distribution,), {"__init__": __init__, "_density": _density, "_moved": _moved, "entropy": entropy})


for _name, _parameters in _SCALAR.items():
    _tensorvet.define(_name, _scalar(_name, _parameters))


class _Either(Distribution):
    """Told by probabilities or by logits, one of them."""

    has_rsample = False
    _per_event = False

    def __init__(self, probs=None, logits=None, validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        given = _tensors([logits if probs is None else probs])[0]
        self.probs = self.logits = given
        self._scores = given if probs is None else _chances.logits_of(given, not self._per_event)
        _tensorvet.require("`probs` and `logits` have an axis of categories", not self._per_event or given.ndim >= 1, "shape", given, raises=ValueError)
        super().__init__(given.shape[:-1] if self._per_event else given.shape, self._events(given), kind=kind_of(given))

    def _events(self, given):
        return ()

    @property
    def param_shape(self):
        return self.probs.shape


class Bernoulli(_Either):
    def _density(self, value, result):
        return _chances.of_bits(self._scores, value, result)


class Geometric(_Either):
    pass


class ContinuousBernoulli(_Either):
    has_rsample = True


class Categorical(_Either):
    _per_event = True

    def sample(self, sample_shape=()):
        return made("i64", [*sample_shape, *self._batch])

    def entropy(self):
        return self._flowing(_chances.of_shares(self._scores, self._made(self._batch)))

    def _density(self, value, result):
        return _chances.of_category(self._scores, result)

    @property
    def _num_events(self):
        return self.probs.shape[-1]


class OneHotCategorical(_Either):
    _per_event = True

    def _events(self, given):
        return given.shape[-1:]


class OneHotCategoricalStraightThrough(OneHotCategorical):
    has_rsample = True


class Multinomial(OneHotCategorical):
    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        self.total_count = total_count
        super().__init__(probs, logits)


class Binomial(_Either):
    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        self.total_count = total_count
        super().__init__(probs, logits)


class NegativeBinomial(Binomial):
    pass


class RelaxedBernoulli(_Either):
    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        super().__init__(probs, logits)


class RelaxedOneHotCategorical(OneHotCategorical):
    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        super().__init__(probs, logits)


class Dirichlet(Distribution):
    def __init__(self, concentration, validate_args=None):
        _tensorvet.require("`concentration` has at least one axis", concentration.ndim >= 1, "shape", concentration, raises=ValueError)
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], kind=kind_of(concentration))


class MultivariateNormal(Distribution):
    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        given = [matrix for matrix in (covariance_matrix, precision_matrix, scale_tril) if matrix is not None]
        if len(given) != 1:
            raise ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        matrix, self.loc = given[0], loc
        _tensorvet.require("`loc` has at least one axis", loc.ndim >= 1, "shape", loc, raises=ValueError)
        _tensorvet.require("a covariance is a matrix", matrix.ndim >= 2, "shape", matrix, raises=ValueError)
        _tensorvet.require("a covariance is square, with a row per number of `loc`", matrix.shape[-1] == matrix.shape[-2] and (matrix.shape[-1] == loc.shape[-1] or loc.shape[-1] == 1), "shape", loc, matrix)
        batch = _tensorvet.broadcast(kind_of(loc), [made(kind_of(loc), loc.shape[:-1]), made(kind_of(loc), matrix.shape[:-2])], "MultivariateNormal")
        super().__init__(batch.shape, matrix.shape[-1:], kind=kind_of(loc))
        self.covariance_matrix = self.scale_tril = self.precision_matrix = matrix


class Independent(Distribution):
    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        self.base_dist, number = base_distribution, reinterpreted_batch_ndims
        batch = base_distribution._batch
        if number > len(batch):
            raise ValueError("Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual " + str(number) + " vs " + str(len(batch)))
        kept = len(batch) - number
        super().__init__(batch[:kept], batch[kept:] + base_distribution._event, kind=base_distribution._kind)


class TransformedDistribution(Distribution):
    def __init__(self, base_distribution, transforms, validate_args=None):
        self.base_dist = base_distribution
        super().__init__(base_distribution._batch, base_distribution._event, kind=base_distribution._kind)


class MixtureSameFamily(Distribution):
    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        self.mixture_distribution, self.component_distribution = mixture_distribution, component_distribution
        super().__init__(component_distribution._batch[:-1], component_distribution._event, kind=component_distribution._kind)


def kl_divergence(p, q):
    result = _tensorvet.broadcast(p._kind, [p._made(p._batch), q._made(q._batch)], "kl_divergence")
    return _chances.divergence_of_normal(p, q, result) if isinstance(p, Normal) and isinstance(q, Normal) else result


def register_kl(first, second):
    return lambda function: function


def __getattr__(name):
    return _tensorvet.unknown("`torch.distributions." + name + "` is not modelled")
