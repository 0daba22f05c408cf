"""Compares the ranges of what PyTorch's functions give with what they give.

    python numeric_values.py BINARY > observed.json

Each expression is computed in PyTorch for hundreds of inputs at and between the ends of their ranges. Then tensorvet is
asked, in a program of its own, about the root of the result less a little more than the least number that came out, and
about that of the largest the other way round: both have arguments that are negative for inputs that were seen, so
silence is wrong. It may say that nothing is known.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import torch
import torch.nn.functional as F

EXPRESSIONS = """
torch.addmm(b, x, w) ; torch.addmm(b, x, w, beta=2.0, alpha=-1.0) ; torch.addmv(v3, x, v4)
torch.addr(x, v3, v4) ; torch.baddbmm(x[None].expand(2,3,4), x[None].expand(2,3,4), torch.stack([w,w]))
torch.addbmm(x, x[None], w[None]) ; torch.dot(v4, v4) ; torch.dot(v4, u4) ; torch.vdot(v4,u4)
torch.inner(x, x) ; torch.outer(v3, v4) ; torch.ger(v3, v4) ; torch.kron(v3, v4) ; torch.mv(x, v4) ; v4 @ w
x @ v4 ; torch.matmul(v4, u4) ; x[0] @ w ; torch.einsum('ij,ij->i', x, x) ; torch.einsum('ij,kj->ik', x, x)
torch.einsum('ij,jk->ik', x, w) ; torch.tensordot(x, w, dims=1) ; torch.chain_matmul(x, w, w)
torch.linalg.multi_dot([x, w, w]) ; torch.cross(x[:, :3], x[:, 1:4], dim=1)
torch.linalg.cross(x[:, :3], x[:, 1:4]) ; torch.cov(x) ; torch.corrcoef(x) ; torch.trace(w)
torch.diagonal(w) ; torch.diag(v4) ; torch.tril(w) ; torch.triu(w) ; torch.diag_embed(v4)
torch.block_diag(w, w) ; torch.cdist(x, x) ; torch.pdist(x) ; F.pairwise_distance(x, x + 1)
F.cosine_similarity(x, x + 1) ; torch.dist(x, x + 1) ; torch.norm(x) ; torch.norm(x, p=1)
torch.linalg.norm(x) ; torch.linalg.vector_norm(x, ord=3) ; torch.linalg.matrix_norm(x)
x.norm(p=float('inf')) ; torch.renorm(x, 2, 0, 1.0) ; torch.std(x) ; torch.var(x, dim=1) ; torch.median(x)
x.median(dim=1).values ; torch.quantile(x, 0.3) ; torch.mode(x, dim=1).values
torch.kthvalue(x, 2, dim=1).values ; torch.sort(x, dim=1).values ; torch.topk(x, 2).values
torch.logcumsumexp(x, 1) ; torch.cumsum(x, 1) ; torch.cumprod(x, 1) ; torch.cummax(x, 1).values
torch.cummin(x, 1).values ; torch.logsumexp(x, 1) ; torch.amax(x, 1) ; torch.amin(x, 1) ; torch.aminmax(x).max
torch.prod(x, 1) ; torch.nansum(x) ; torch.nanmean(x) ; torch.mean(x, 0) ; torch.sum(x) ; x.max() ; x.min()
torch.max(x, b) ; torch.fmax(x, b) ; torch.fmin(x,b) ; torch.std_mean(x)[1] ; torch.var_mean(x)[0]
torch.count_nonzero(x).float() ; x.argmax(1).float() ; torch.lerp(x, b, 0.3) ; torch.lerp(x, b, 1.7)
torch.addcmul(x, b, b, value=2.0) ; torch.addcdiv(x, b, p1, value=-2.0) ; torch.hypot(x, b)
torch.ldexp(x, v4) ; torch.logaddexp(x, b) ; torch.logaddexp2(x, b) ; torch.atan2(x, b) ; torch.fmod(x, 0.7)
torch.remainder(x, 0.7) ; torch.floor_divide(x, 0.7) ; torch.true_divide(x, 0.7)
torch.div(x, 0.7, rounding_mode='trunc') ; torch.heaviside(x, b) ; torch.copysign(b, x)
torch.nextafter(x, b) ; torch.float_power(p1, x).float() ; torch.pow(p1, x) ; torch.pow(2.0, x)
torch.xlogy(p1, p1) ; torch.special.xlog1py(p1, p1) ; torch.sigmoid(x) ; torch.tanh(x) ; torch.erf(x)
torch.erfc(x) ; torch.special.expit(x) ; torch.special.logit(p1, 0.01) ; torch.logit(p1, eps=0.01)
torch.sinc(x) ; torch.exp2(x) ; torch.expm1(x) ; torch.log1p(p1) ; torch.log2(p1) ; torch.log10(p1)
torch.rsqrt(p1) ; torch.square(x) ; torch.frac(x) ; torch.trunc(x) ; torch.sign(x) ; torch.sgn(x)
torch.reciprocal(p1) ; torch.deg2rad(x) ; torch.rad2deg(x) ; torch.angle(x) ; torch.nan_to_num(x)
torch.positive(x) ; torch.neg(x) ; torch.abs(x) ; torch.asinh(x) ; torch.sinh(x) ; torch.cosh(x)
torch.tan(p1) ; torch.lgamma(p1) ; torch.digamma(p1) ; torch.polygamma(1, p1) ; torch.mvlgamma(p1 + 3, 2)
torch.i0(x) ; torch.special.entr(p1) ; torch.special.ndtr(x) ; torch.special.log_ndtr(x)
torch.special.erfcx(x) ; torch.special.i1(x) ; torch.erfinv(p1 - 0.5) ; torch.special.zeta(p1 + 2, p1 + 2)
torch.special.log_softmax(x, 1) ; torch.where(x > 0, x, b) ; torch.clamp(x, -0.5, 0.5)
torch.clip(x, max=0.5) ; torch.masked_fill(x, x > 0, 7.0) ; x.masked_select(x > -5) ; torch.gather(x, 1, idx)
torch.take(x, idx) ; torch.take_along_dim(x, idx, 1) ; torch.index_select(x, 0, i3)
torch.scatter(x, 1, idx, b) ; torch.scatter_add(x, 1, idx, b) ; torch.index_add(x, 0, i3, b)
torch.index_fill(x, 0, i3, 5.0) ; torch.masked_scatter(x, x > 0, b)
torch.scatter_reduce(x, 1, idx, b, 'prod') ; x.put(idx, b) ; torch.select_scatter(x, v4, 0, 1)
torch.slice_scatter(x, b[:2], 0, 0, 2) ; torch.diagonal_scatter(w, v4) ; torch.index_copy(x, 0, i3, b)
torch.roll(x, 1) ; torch.flip(x, [0]) ; torch.rot90(x) ; torch.repeat_interleave(x, 2) ; x.repeat(2, 1)
torch.tile(x, (2,)) ; torch.unfold_copy(x, 1, 2, 1) ; x.unfold(1, 2, 1) ; F.pad(x, (1, 1), value=9.0)
F.pad(x[None], (1,1), mode='reflect') ; torch.cat([x, b]) ; torch.stack([x, b])
torch.meshgrid(v3, v4, indexing='ij')[0] ; torch.cartesian_prod(v3, v4) ; torch.combinations(v4)
torch.vander(v3, 3) ; torch.trapz(x) ; torch.trapezoid(x, dx=0.5) ; torch.cumulative_trapezoid(x)
torch.diff(x) ; torch.gradient(x)[0] ; torch.histc(x, 4) ; torch.bincount(i3).float()
torch.searchsorted(v4s, x).float() ; torch.bucketize(x, v4s).float() ; torch.unique(x)
torch.matrix_power(w, 3) ; torch.linalg.det(w) ; torch.det(w) ; torch.logdet(w @ w.t() + torch.eye(4))
torch.linalg.slogdet(w)[1] ; torch.inverse(w + 9 * torch.eye(4))
torch.linalg.solve(w + 9 * torch.eye(4), x.t()) ; torch.linalg.svdvals(x) ; torch.linalg.eigvalsh(w + w.t())
torch.linalg.cholesky(w @ w.t() + torch.eye(4)) ; torch.matrix_exp(w) ; torch.fft.fft(x).real
torch.fft.rfft(x).abs() ; torch.fft.ifft(torch.fft.fft(x)).real
torch.stft(x, 4, return_complex=True, window=torch.ones(4)).abs() ; F.relu(x) ; F.relu6(x) ; F.elu(x)
F.selu(x) ; F.celu(x, 2.0) ; F.leaky_relu(x) ; F.gelu(x) ; F.gelu(x, approximate='tanh') ; F.silu(x)
F.mish(x) ; F.softplus(x) ; F.softplus(x, beta=3) ; F.softsign(x) ; F.tanhshrink(x) ; F.softshrink(x)
F.hardshrink(x) ; F.hardtanh(x) ; F.hardsigmoid(x) ; F.hardswish(x) ; F.logsigmoid(x) ; F.glu(x)
F.prelu(x, torch.tensor([0.3])) ; F.rrelu(x) ; F.threshold(x, 0.1, 20.0) ; F.softmax(x, 1) ; F.softmin(x, 1)
F.log_softmax(x, 1) ; F.gumbel_softmax(x * 0, dim=1) ; F.normalize(x) ; F.dropout(x, 0.5) ; F.dropout(x, 0.9)
F.alpha_dropout(x, 0.5, training=True) ; F.feature_alpha_dropout(x[None, :, :, None], 0.5, training=True)
F.dropout2d(x[None, :, :, None], 0.5) ; F.local_response_norm(x[None], 2) ; F.layer_norm(x, (4,))
F.layer_norm(x, (4,), v4, u4) ; F.rms_norm(x, (4,)) ; F.batch_norm(x, u4, p4, training=False)
F.batch_norm(x, None, None, training=True) ; F.batch_norm(x, None, None, v4, u4, training=True)
F.instance_norm(x[None]) ; F.group_norm(x[None], 3) ; F.group_norm(x[None], 1, v3, v3) ; F.mse_loss(x, b)
F.l1_loss(x, b) ; F.smooth_l1_loss(x, b) ; F.huber_loss(x, b, delta=0.5) ; F.mse_loss(x, b, reduction='sum')
F.binary_cross_entropy(p1, q1) ; F.binary_cross_entropy_with_logits(x, q1)
F.binary_cross_entropy_with_logits(x, q1, pos_weight=torch.tensor(5.0))
F.binary_cross_entropy(p1, q1, weight=torch.tensor(5.0)) ; F.cross_entropy(x, i3)
F.cross_entropy(x, i3, label_smoothing=0.3) ; F.cross_entropy(x, i3, reduction='sum')
F.cross_entropy(x, i3, weight=p4, reduction='none') ; F.cross_entropy(x, torch.softmax(b, 1))
F.nll_loss(x, i3) ; F.nll_loss(x, i3, weight=p4, reduction='sum') ; F.kl_div(x, q1)
F.kl_div(x, b, log_target=True, reduction='batchmean') ; F.poisson_nll_loss(x, q1)
F.poisson_nll_loss(x, q1 * 9, full=True) ; F.poisson_nll_loss(p1, q1, log_input=False)
F.gaussian_nll_loss(x, b, p1) ; F.hinge_embedding_loss(x, torch.sign(b))
F.soft_margin_loss(x, torch.sign(b)) ; F.margin_ranking_loss(x, b, torch.ones(3, 4))
F.multi_margin_loss(x, i3) ; F.multilabel_soft_margin_loss(x, q1) ; F.multilabel_margin_loss(x, idx)
F.triplet_margin_loss(x, b, b + 1) ; F.cosine_embedding_loss(x, b, torch.ones(3))
F.ctc_loss(F.log_softmax(x[:, None], 2), torch.ones(1, 1, dtype=torch.long), torch.tensor([3]), torch.tensor([1]))
F.avg_pool1d(x[None], 2) ; F.max_pool1d(x[None], 2) ; F.lp_pool1d(x[None], 2.0, 2)
F.adaptive_avg_pool1d(x[None], 2) ; F.adaptive_max_pool1d(x[None], 2)
F.avg_pool2d(x[None, None], 2, padding=1) ; F.avg_pool2d(x[None, None], 2, padding=1, count_include_pad=False)
F.avg_pool2d(x[None, None], 2, divisor_override=1) ; F.interpolate(x[None, None], scale_factor=2)
F.interpolate(x[None, None], scale_factor=2, mode='bilinear')
F.interpolate(x[None, None], scale_factor=2, mode='bicubic')
F.grid_sample(x[None, None], g, align_corners=False)
F.affine_grid(torch.ones(1, 2, 3), (1, 1, 2, 2), align_corners=False)
F.pixel_shuffle(x[None, None].repeat(1, 4, 1, 1), 2) ; F.fold(x.reshape(1, 4, 3)[:, :, :2], (2, 3), 2)
F.unfold(x[None, None], 2) ; F.linear(x, w) ; F.linear(x, w, v4) ; F.bilinear(x, x, torch.stack([w, w]))
F.bilinear(x, x, torch.stack([w, w]), torch.tensor([5.0, 5.0])) ; F.conv1d(x[None], x[None, :, :2])
F.conv1d(x[None], x[None, :, :2], torch.tensor([9.0])) ; F.conv_transpose1d(x[None], x[:, None, :2])
F.conv_transpose1d(x[None], x[:, None, :2], torch.tensor([9.0]))
F.conv2d(x[None, None], w[None, None, :2, :2])
F.conv_transpose2d(x[None, None], w[None, None, :2, :2], torch.tensor([9.0]), stride=2) ; F.embedding(i3, x)
F.embedding_bag(i3[None], x) ; F.embedding_bag(i3[None], x, mode='sum') ; F.one_hot(i3, 4).float()
F.scaled_dot_product_attention(x[None], x[None], b[None])
F.scaled_dot_product_attention(x[None], x[None], b[None], dropout_p=0.5) ; torch.bernoulli(p1)
torch.rand_like(x) ; torch.randn_like(x) ; torch.rand(3) * x[:, 0] ; torch.normal(x, p1)
torch.empty_like(x).uniform_(-3, 5) ; torch.empty_like(x).normal_(1, 2)
torch.empty_like(x).exponential_(2.0) ; torch.empty_like(x).cauchy_() ; torch.empty_like(x).log_normal_()
torch.empty_like(x).geometric_(0.5) ; torch.poisson(p1) ; torch.multinomial(p1, 2).float()
torch.randint(0, 5, (3,)).float() ; torch.randint_like(x, 3, 8) ; torch.randperm(4).float()
torch.full_like(x, 3.0) ; torch.arange(4).float() * x ; torch.linspace(-2, 3, 4) * x ; torch.logspace(0, 1, 4)
torch.ones_like(x).fill_(5) ; torch.zeros_like(x).copy_(b) ; torch.clone(x).mul_(3).add_(1)
x.clone().clamp_(min=0.2) ; x.clone().zero_().add_(4) ; x.detach() ; x.half().float()
x.to(torch.bfloat16).float() ; x.long().float() ; x.int().float() ; x.bool().float() ; torch.eye(3) - x[:, :3]
torch.complex(x, b).abs() ; torch.polar(p1, x).real ; torch.view_as_real(torch.complex(x, b))
torch.erf(x).add(x, alpha=3) ; x.sub(b, alpha=3) ; torch.rsub(x, 2.0) ; torch.rsub(x, b, alpha=2)
x.add(1, alpha=5) ; torch.special.multigammaln(p1 + 3, 2) ; torch.hann_window(8) ; torch.hamming_window(8)
torch.blackman_window(8) ; torch.bartlett_window(8) ; torch.kaiser_window(8) ; torch.hardshrink(x)
torch.dropout(x, 0.5, True) ; torch.constant_pad_nd(x, (1, 1), 7.0) ; torch.vstack([x, b + 5])
torch.hstack([x, b - 5]) ; torch.dstack([x, b]) ; torch.column_stack([x, b]) ; torch.movedim(x, 0, 1)
torch.narrow(x, 0, 0, 2) ; torch.ravel(x) ; torch.squeeze(x[None]) ; torch.swapaxes(x, 0, 1)
torch.broadcast_to(x, (2, 3, 4)) ; torch.atleast_3d(x) ; torch.msort(x) ; torch.nanmedian(x)
torch.nanquantile(x, 0.9) ; torch.isclose(x, b).float() ; torch.eq(x, b).float() ; torch.gt(x, b).float()
torch.logical_and(x > 0, b > 0).float() ; torch.bitwise_and(x.int(), b.int()).float() ; x.sum_to_size(1, 4)
x.index_put((i3,), b[0]) ; x.expand(2, 3, 4) ; x.view(4, 3) ; x.t() ; x.T ; x.mT ; x.flatten()
x.unsqueeze(0) ; x.max(1).values ; x.var(unbiased=False) ; x.std(correction=0) ; x[1:] ; x[:, ::2] ; x[i3]
x[x > -9] ; x.sigmoid().logit()
"""

# Shapes and ranges of what expressions name.
FLOATS = {
    "x": ((3, 4), -2, 3), "b": ((3, 4), -1, 4), "w": ((4, 4), -2, 1), "v3": ((3,), -1, 2), "v4": ((4,), -2, 1),
    "u4": ((4,), -1, 3), "p1": ((3, 4), 0.05, 0.95), "q1": ((3, 4), 0.0, 1.0), "p4": ((4,), 0.1, 2.0),
    "v4s": ((4,), -1, 1), "g": ((1, 2, 2, 2), -1, 1),
}
INTS = {"idx": ((3, 4), 0, 2), "i3": ((3,), 0, 2)}
DRAWS = 300


def draw(way, rng):
    drawn = {}
    for name, (shape, low, high) in FLOATS.items():
        inside, ends = rng.uniform(low, high, shape), rng.choice([low, high], shape)
        mixed = np.where(rng.random(shape) < 0.2, inside, ends)
        level = [rng.choice([low, high]), rng.uniform(low, high)]
        array = [inside, ends, np.full(shape, level[0]), mixed, np.full(shape, level[1])][way]
        drawn[name] = torch.tensor(np.sort(array) if name == "v4s" else array, dtype=torch.float32)
    for name, (shape, low, high) in INTS.items():
        drawn[name] = torch.tensor(rng.integers(low, high + 1, shape))
    return drawn


def ends(expression):
    """The least and the largest finite number that came out."""
    rng = np.random.default_rng(5)
    torch.manual_seed(5)
    code, low, high = compile(expression, "expression", "eval"), np.inf, -np.inf
    for number in range(DRAWS):
        result = eval(code, {"torch": torch, "F": F, **draw(number % 5, rng)}).float()
        result = result[torch.isfinite(result)]
        if result.numel():
            low, high = min(low, result.min().item()), max(high, result.max().item())
    return low, high


def asked(binary, folder, expression, argument):
    """`told`, `unknown` or `silent`."""
    named = [name for name in [*FLOATS, *INTS] if re.search(rf"\b{name}\b", expression)] or ["x"]
    path = pathlib.Path(folder) / "expression.py"
    head = f"import torch\nimport torch.nn.functional as F\n\ndef f({', '.join(named)}):\n"
    path.write_text(f"{head}    y = {expression}\n    return torch.sqrt({argument})\n")
    options = []
    for name in named:
        shape, low, high = {**FLOATS, **INTS}[name]
        kind = "f32" if name in FLOATS else "i64"
        options += ["--input", f"{name}={kind}[{','.join(map(str, shape))}]", "--range", f"{name}=[{low},{high}]"]
    command = [binary, "check", f"{path}::f", *options, "--numerics", "--output-format", "json"]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    if any(finding["location"]["line"] == 6 for finding in answer["findings"]):
        return "told"
    return "unknown" if answer["summary"]["unknowns"] or answer["findings"] else "silent"


def main():
    torch.set_num_threads(1)
    observed = []
    with tempfile.TemporaryDirectory() as folder:
        for expression in re.split(r" ; |\n", EXPRESSIONS.strip()):
            try:
                low, high = ends(expression)
            except Exception as error:  # noqa: BLE001, one that cannot be computed must not hide the others
                observed.append({"expression": expression, "error": str(error)[:200]})
                continue
            if low > high:
                continue
            little = (high - low) * 0.02 + 1e-4 * max(abs(low), abs(high)) + 1e-6
            arguments = [f"y - ({low + little!r})", f"({high - little!r}) - y"]
            answers = [asked(sys.argv[1], folder, expression, argument) for argument in arguments]
            observed.append({"expression": expression, "ends": [low, high], "answers": answers})
    print(json.dumps(observed, indent=1))


if __name__ == "__main__":
    main()
