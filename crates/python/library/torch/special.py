"""Special functions."""

import _tensorvet
from torch import _pointwise, _reductions
from torch._pointwise import _binary, _unary, digamma, erf, erfc, erfinv, exp2, expm1, i0, log1p, logit, polygamma, round, sigmoid, sinc, xlogy
from torch._pointwise import igamma as gammainc, igammac as gammaincc, lgamma as gammaln, mvlgamma as multigammaln
from torch._reductions import log_softmax, logsumexp, softmax
from torch._types import floated

expit, psi = sigmoid, digamma

for _name in "entr i0e i1 i1e ndtr".split():
    _tensorvet.define(_name, _unary(_name, "bihf", floated))
for _name in "airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 erfcx log_ndtr modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 modified_bessel_k1 ndtri scaled_modified_bessel_k0 scaled_modified_bessel_k1 spherical_bessel_j0".split():
    _tensorvet.define(_name, _unary(_name, "bif", floated))
xlog1py = _binary("xlog1py", "bihf", None, floated)
_polynomials = [kind + "_polynomial_" + letter for kind in ("chebyshev", "shifted_chebyshev") for letter in "tuvw"]
for _name in _polynomials + ["hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p", "zeta"]:
    _tensorvet.define(_name, _binary(_name, "bif", None, floated))
