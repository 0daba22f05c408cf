"""Sites that are labelled: `# bug` at the end of a line that can make NaN or Inf, `# safe` of one that cannot.

Each function is checked by itself, with the tensors that the comment before it describes; `gradients` there asks for
the backward pass, too. `cargo xtask numerics truth` runs every one in PyTorch.
"""

import torch
import torch.nn as nn
import torch.nn.functional as F


# x=f32[8] in [0,1]
def log_of_input(x):
    return torch.log(x)  # bug


# x=f32[8] in [0,1]
def log_clamped(x):
    return torch.log(x.clamp(min=1e-6))  # safe


# x=f32[8] in [0,1]
def log_with_epsilon(x):
    return torch.log(x + 1e-8)  # safe


# x=f16[8] in [0,1]
def log_with_epsilon_that_is_zero_in_half(x):
    return torch.log(x + 1e-8)  # bug


# x=f16[8] in [0,1]
def log_with_epsilon_in_half(x):
    return torch.log(x + 1e-4)  # safe


# x=f32[8] in [0,1]
def log_of_one_minus_with_absorbed_epsilon(x):
    p = torch.clamp(x, 1e-8, 1 - 1e-8)
    return torch.log(1 - p)  # bug


# x=f32[8] in [0,1]
def log_of_one_minus_with_epsilon(x):
    p = torch.clamp(x, 1e-6, 1 - 1e-6)
    return torch.log(1 - p)  # safe


# p=f32[8] in [0,1]; y=f32[8] in [0,1]
def cross_entropy_by_hand(p, y):
    first = y * torch.log(p)  # bug
    second = (1 - y) * torch.log(1 - p)  # bug
    return -(first + second).mean()


# p=f32[8] in [0,1]; y=f32[8] in [0,1]
def cross_entropy_by_hand_bounded(p, y):
    p = p * 0.98 + 0.01
    first = y * torch.log(p)  # safe
    second = (1 - y) * torch.log(1 - p)  # safe
    return -(first + second).mean()


# x=f32[4,10] in [-200,200]
def log_of_softmax(x):
    return torch.log(torch.softmax(x, dim=1))  # bug


# x=f32[4,10] in [-20,20]
def log_of_softmax_of_small_scores(x):
    return torch.log(torch.softmax(x, dim=1))  # safe


# x=f32[4,10] in [-200,200]
def stable_log_softmax(x):
    return torch.log_softmax(x, dim=1)  # safe


# x=f32[8] in [-200,200]
def log_of_sigmoid(x):
    return torch.log(torch.sigmoid(x))  # bug


# x=f32[8] in [-50,50]
def log_of_sigmoid_of_small_scores(x):
    return torch.log(torch.sigmoid(x))  # safe


# x=f32[8] in [-200,200]
def stable_log_sigmoid(x):
    return F.logsigmoid(x)  # safe


# x=f32[8] in [-50,50]
def log_of_one_minus_sigmoid(x):
    return torch.log(1 - torch.sigmoid(x))  # bug


# x=f32[4,10] in [-100,100]
def softmax_by_hand(x):
    e = torch.exp(x)  # bug
    return e / e.sum(dim=1, keepdim=True)


# x=f32[4,10] in [-100,100]
def softmax_by_hand_shifted(x):
    e = torch.exp(x - x.amax(dim=1, keepdim=True))  # safe
    return e / e.sum(dim=1, keepdim=True)  # safe


# x=f32[4,10] in [-100,100]
def softmax_by_hand_shifted_by_max(x):
    e = torch.exp(x - x.max(dim=1, keepdim=True).values)  # safe
    return e / e.sum(dim=1, keepdim=True)  # safe


# x=f16[4,10] in [-20,20]
def softmax_by_hand_in_half(x):
    e = torch.exp(x)  # bug
    return e / e.sum(dim=1, keepdim=True)  # bug


# x=f32[4,10] in [-100,100]
def log_sum_exp_by_hand(x):
    return torch.log(torch.exp(x).sum(dim=1))  # bug


# x=f32[4,10] in [-100,100]
def log_sum_exp_by_hand_shifted(x):
    m = x.amax(dim=1, keepdim=True)
    return torch.log(torch.exp(x - m).sum(dim=1)) + m.squeeze(1)  # safe


# x=f32[4,10] in [-100,100]
def stable_log_sum_exp(x):
    return torch.logsumexp(x, dim=1)  # safe


# x=f32[8] in [-100,100]
def softplus_by_hand(x):
    return torch.log(1 + torch.exp(x))  # bug


# x=f32[8] in [-100,100]
def softplus_by_hand_split(x):
    return torch.clamp(x, min=0) + torch.log(1 + torch.exp(-torch.abs(x)))  # safe


# x=f32[8] in [-100,100]
def stable_softplus(x):
    return F.softplus(x)  # safe


# x=f32[8] in [-100,100]
def exp_clamped(x):
    return torch.exp(x.clamp(max=80))  # safe


# x=f32[8] in [0,100]
def exp_of_negative(x):
    return torch.exp(-x)  # safe


# x=f16[8] in [0,20]
def exp_in_half(x):
    return torch.exp(x)  # bug


# x=f16[8] in [0,10]
def exp_in_half_bounded(x):
    return torch.exp(x)  # safe


# x=f32[8] in [-5,5]
def sqrt_of_any(x):
    return torch.sqrt(x)  # bug


# x=f32[8] in [-5,5]
def sqrt_of_relu(x):
    return torch.sqrt(torch.relu(x))  # safe


# x=f32[8] in [-5,5]
def sqrt_of_square(x):
    return torch.sqrt(x * x)  # safe


# x=f32[8] in [-5,5]
def sqrt_of_power(x):
    return torch.sqrt(x**2 + 1e-6)  # safe


# x=f32[64] in [0,1]
def deviation_by_moments(x):
    return torch.sqrt((x * x).mean() - x.mean() * x.mean())  # bug


# x=f32[64] in [0,1]
def deviation_by_moments_with_epsilon(x):
    return torch.sqrt((x * x).mean() - x.mean() * x.mean() + 1e-4)  # safe


# x=f32[64] in [0,1]
def deviation_by_moments_clamped(x):
    return torch.sqrt(((x * x).mean() - x.mean() ** 2).clamp(min=0))  # safe


# x=f32[64] in [0,1]
def deviation_by_distances(x):
    return torch.sqrt(((x - x.mean()) ** 2).mean())  # safe


# x=f32[4,16] in [-3,3]
def normalise_by_deviation(x):
    return (x - x.mean(dim=1, keepdim=True)) / x.std(dim=1, keepdim=True)  # bug


# x=f32[4,16] in [-3,3]
def normalise_by_deviation_with_epsilon(x):
    return (x - x.mean(dim=1, keepdim=True)) / (x.std(dim=1, keepdim=True) + 1e-5)  # safe


# x=f32[4,16] in [-3,3]
def normalise_by_variance_with_epsilon(x):
    return (x - x.mean(dim=1, keepdim=True)) / torch.sqrt(x.var(dim=1, keepdim=True) + 1e-5)  # safe


# x=f32[4,16] in [-3,3]
def unit_vectors(x):
    return x / x.norm(dim=1, keepdim=True)  # bug


# x=f32[4,16] in [-3,3]
def unit_vectors_with_epsilon(x):
    return x / (x.norm(dim=1, keepdim=True) + 1e-8)  # safe


# x=f32[4,16] in [-3,3]
def unit_vectors_clamped(x):
    return x / x.norm(dim=1, keepdim=True).clamp(min=1e-12)  # safe


# a=f32[8] in [0,5]; b=f32[8] in [0,5]
def ratio(a, b):
    return a / b  # bug


# a=f32[8] in [0,5]; b=f32[8] in [0,5]
def ratio_of_more_than_one(a, b):
    return a / (b + 1)  # safe


# a=f32[8] in [-5,5]; b=f32[8] in [-5,5]
def ratio_with_epsilon_of_signed(a, b):
    return a / (b + 1e-6)  # bug


# a=f32[8] in [-5,5]; b=f32[8] in [-5,5]
def ratio_of_magnitude(a, b):
    return a / (b.abs() + 1e-6)  # safe


# a=f32[8] in [-5,5]; b=f32[8] in [-5,5]
def ratio_of_square(a, b):
    return a / (b * b + 1)  # safe


# a=f32[8] in [-5,5]; b=f32[8] in [1,5]
def ratio_of_difference(a, b):
    return a / (b - 1)  # bug


# c=f32[8] in [0,100]; o=f32[8] in [0.5,2]
def width_of_box(c, o):
    right = c + o
    left = c - o
    return torch.log(right - left)  # safe


# c=f32[8] in [0,100]; o=f32[8] in [0,2]
def width_of_box_that_may_be_empty(c, o):
    right = c + o
    left = c - o
    return torch.log(right - left)  # bug


# x=f32[8] in [-3,3]
def difference_of_relus(x):
    y = torch.relu(x) - torch.relu(-x)
    return torch.log(y - x + 1)  # safe


# x=f32[8] in [-3,3]
def magnitude_no_less(x):
    return torch.sqrt(x.abs() - x)  # safe


# x=f32[8] in [-3,3]
def magnitude_less_something(x):
    return torch.sqrt(x.abs() - 1)  # bug


# x=f32[4,8] in [-3,3]
def gap_to_largest(x):
    return torch.sqrt(x.amax(dim=1, keepdim=True) - x)  # safe


# x=f32[4,8] in [-3,3]
def gap_to_largest_inverted(x):
    return 1 / (x.amax(dim=1, keepdim=True) - x)  # bug


# x=f32[4,8] in [-3,3]
def gap_to_smallest(x):
    return torch.log(x - x.amin(dim=1, keepdim=True) + 1)  # safe


# x=f32[4,8] in [-5,5]
def remaining_probability(x):
    p = torch.softmax(x, dim=1)
    return torch.log(2 - p.sum(dim=1))  # safe


# x=f32[4,8] in [-5,5]
def entropy_with_probabilities(x):
    p = torch.softmax(x, dim=1)
    return -(p * torch.log(p)).sum(dim=1)  # safe


# x=f32[8] in [-1,1]
def where_protects_log(x):
    return torch.where(x > 0, torch.log(x), torch.zeros_like(x)).sum()  # safe


# x=f32[8] in [-1,1]; gradients
def where_does_not_protect_gradient(x):
    return torch.where(x > 0, torch.log(x), torch.zeros_like(x)).sum()  # bug


# x=f32[8] in [-1,1]; gradients
def where_with_margin_before_and_after(x):
    ok = x > 0.01
    inner = torch.where(ok, x, torch.ones_like(x))
    return torch.where(ok, torch.log(inner), torch.zeros_like(x)).sum()  # safe


# x=f32[8] in [0,3]
def log_of_shifted_input(x):
    return torch.log(x - 1)  # bug


# x=f32[8] in [1.5,3]
def log_of_shifted_input_inside(x):
    return torch.log(x - 1)  # safe


# x=f32[8] in [-40,40]
def inverse_of_power(x):
    return 1 / torch.exp(x)  # safe


# x=f32[8] in [-120,120]; gradients
def hyperbolic_by_hand(x):
    return torch.exp(x) - torch.exp(-x)  # bug


# x=f32[8,8] in [-1,1]
def smallest_of_row(x):
    return 1 / x.amin(dim=1)  # bug


# x=f32[8] in [-1,1]
def where_with_wrong_condition(x):
    return torch.where(x > -0.5, torch.log(x), torch.zeros_like(x)).sum()  # bug


# x=f32[8] in [-1,1]
def where_protects_division(x):
    return torch.where(x.abs() > 0.1, 1 / x, torch.zeros_like(x)).sum()  # safe


# x=f32[8] in [-1,1]; m=f32[8] in [0,1]
def mask_after_log(x, m):
    return (m * torch.log(x.abs())).sum()  # bug


# x=f32[8] in [0,4]; gradients
def gradient_of_root(x):
    return torch.sqrt(x).sum()  # bug


# x=f32[8] in [0,4]; gradients
def gradient_of_root_with_epsilon(x):
    return torch.sqrt(x + 1e-6).sum()  # safe


# x=f32[8] in [0,4]; gradients
def gradient_of_root_with_epsilon_after(x):
    return (torch.sqrt(x) + 1e-6).sum()  # bug


# x=f32[4,8] in [-2,2]; gradients
def gradient_of_distance_by_hand(x):
    return torch.sqrt((x * x).sum(dim=1)).sum()  # bug


# x=f32[4,8] in [-2,2]; gradients
def gradient_of_norm(x):
    return x.norm(dim=1).sum()  # safe


# x=f32[4,8] in [-2,2]; gradients
def gradient_of_deviation(x):
    return x.std(dim=1).sum()  # safe


# x=f32[8] in [0,1]; gradients
def gradient_of_low_power(x):
    return (x**0.5).sum()  # bug


# x=f32[8] in [0,1]; gradients
def gradient_of_high_power(x):
    return (x**1.5).sum()  # safe


# x=f32[8] in [-1,1]; gradients
def gradient_of_angle(x):
    return torch.acos(x).sum()  # bug


# x=f32[8] in [-1,1]; gradients
def gradient_of_angle_inside(x):
    return torch.acos(x * 0.999).sum()  # safe


# x=f32[8] in [-2,2]
def angle_outside(x):
    return torch.acos(x)  # bug


# x=f32[8] in [-2,2]
def angle_clamped(x):
    return torch.acos(x.clamp(-1, 1))  # safe


# x=f32[8] in [-1,1]
def fractional_power_of_negative(x):
    return x**0.3  # bug


# x=f32[8] in [-1,1]
def fractional_power_of_magnitude(x):
    return x.abs() ** 0.3  # safe


# x=f32[8] in [0,1]
def negative_power(x):
    return x**-0.5  # bug


# x=f32[8] in [0,1]
def negative_power_with_epsilon(x):
    return (x + 1e-6) ** -0.5  # safe


# x=f32[8] in [0,1]
def reciprocal_root(x):
    return torch.rsqrt(x)  # bug


# x=f32[8] in [0,1]
def reciprocal_root_with_epsilon(x):
    return torch.rsqrt(x + 1e-5)  # safe


# x=f16[1000] in [0,100]
def sum_in_half(x):
    return x.sum()  # bug


# x=f16[500] in [0,100]
def sum_in_half_that_fits(x):
    return x.sum()  # safe


# x=f16[1000] in [0,100]
def sum_in_half_by_float(x):
    return x.float().sum()  # safe


# x=f16[8] in [-300,300]
def square_in_half(x):
    return x * x  # bug


# x=f16[8] in [-200,200]
def square_in_half_that_fits(x):
    return x * x  # safe


# x=f32[8] in [0,100000]
def cast_to_half(x):
    return x.half()  # bug


# x=f32[8] in [0,60000]
def cast_to_half_that_fits(x):
    return x.half()  # safe


# a=f16[16,256] in [-20,20]; b=f16[256,4] in [-20,20]
def product_in_half(a, b):
    return a @ b  # bug


# a=f16[16,256] in [-2,2]; b=f16[256,4] in [-2,2]
def product_in_half_that_fits(a, b):
    return a @ b  # safe


# x=f32[8] in [-2,2]
def log_one_more(x):
    return torch.log1p(x)  # bug


# x=f32[8] in [-0.9,2]
def log_one_more_inside(x):
    return torch.log1p(x)  # safe


# x=f32[8] in [0,1]
def log_of_two_powers(x):
    return torch.log2(x.maximum(torch.tensor(1e-6)))  # safe


# mu=f32[4,8] in [-3,3]; lv=f32[4,8] in [-100,100]
def divergence(mu, lv):
    return -0.5 * (1 + lv - mu * mu - torch.exp(lv)).sum()  # bug


# mu=f32[4,8] in [-3,3]; lv=f32[4,8] in [-100,100]
def divergence_bounded(mu, lv):
    lv = lv.clamp(-20, 20)
    return -0.5 * (1 + lv - mu * mu - torch.exp(lv)).sum()  # safe


# a=f32[8] in [-10,10]; b=f32[8] in [-10,10]
def parts_of_a_joint_tensor(a, b):
    both = torch.cat([a.abs() + 1, b])
    return torch.log(both[:8])  # safe


# a=f32[8] in [-10,10]; b=f32[8] in [-10,10]
def other_part_of_a_joint_tensor(a, b):
    both = torch.cat([a.abs() + 1, b])
    return torch.log(both[4:12])  # bug


# x=f32[6] in [0.5,2]
def padded(x):
    return torch.log(F.pad(x, (1, 1), value=1.0))  # safe


# x=f32[6] in [0.5,2]
def padded_with_zero(x):
    return torch.log(F.pad(x, (1, 1)))  # bug


# logp=f32[8] in [-20,0]; old=f32[8] in [-20,0]; adv=f32[8] in [-5,5]
def clipped_ratio(logp, old, adv):
    r = torch.exp(logp - old)  # safe
    return -torch.min(r * adv, r.clamp(0.8, 1.2) * adv).mean()


# logp=f32[8] in [-200,0]; old=f32[8] in [-200,0]; adv=f32[8] in [-5,5]
def clipped_ratio_of_improbable(logp, old, adv):
    r = torch.exp(logp - old)  # bug
    return -torch.min(r * adv, r.clamp(0.8, 1.2) * adv).mean()


# z=f32[4,16] in [-1,1]
def contrastive(z):
    z = z / (z.norm(dim=1, keepdim=True) + 1e-8)  # safe
    s = z @ z.t() / 0.5
    return -torch.log(torch.exp(s) / torch.exp(s).sum(dim=1, keepdim=True)).mean()  # safe


# x=f32[4,8] in [-4,4]
def masked_scores(x):
    s = x.masked_fill(x < 0, -1e9)
    return torch.softmax(s, dim=1)  # safe


# a=f32[8] in [0,1]; b=f32[8] in [0,1]
def dice(a, b):
    return 1 - 2 * (a * b).sum() / (a.sum() + b.sum())  # bug


# a=f32[8] in [0,1]; b=f32[8] in [0,1]
def dice_smooth(a, b):
    return 1 - (2 * (a * b).sum() + 1) / (a.sum() + b.sum() + 1)  # safe


# p=f32[4,5] in [0,1]
def focal(p):
    return -((1 - p) ** 2 * torch.log(p.clamp(min=1e-7))).mean()  # safe


# x=f32[8] in [0,1]; t=f32[1] in [0,2]
def temperature(x, t):
    return x / t  # bug


# x=f32[8] in [0,1]; t=f32[1] in [0,2]
def temperature_bounded(x, t):
    return x / t.clamp(min=0.05)  # safe


# x=f32[8] in [-3,3]
def hand_made_sigmoid(x):
    return 1 / (1 + torch.exp(-x))  # safe


# x=f32[8] in [-300,300]; gradients
def hand_made_sigmoid_of_anything(x):
    return 1 / (1 + torch.exp(-x))  # bug


# x=f32[8] in [-300,300]
def stable_sigmoid(x):
    return torch.sigmoid(x)  # safe


# x=f32[8] in [0,1]
def guarded_by_the_sum(x):
    n = x.sum()
    if n > 0.1:
        return x / n  # safe
    return x


# x=f32[8] in [0,1]
def guarded_by_an_early_return(x):
    n = x.sum()
    if n == 0:
        return x
    return x / n  # safe


# x=f32[8] in [-1,1]
def guarded_the_wrong_way(x):
    if x.max() > 0.5:
        return torch.log(x).sum()  # bug
    return x.sum()


# x=f32[8] in [0,1]
def guarded_by_all(x):
    if (x > 1e-3).all():
        return torch.log(x).sum()  # safe
    return x.sum()


# x=f32[8] in [0,1]
def guarded_by_any(x):
    if torch.any(x < 1e-3):
        return x.sum()
    return torch.log(x).sum()  # safe


# x=f32[8] in [-1,1]
def guarded_by_the_least(x):
    return torch.log(x).sum() if x.min() > 0 else x.sum()  # safe


# x=f32[4,6] in [0,1]; m=f32[4,6] in [0,1]
def guarded_by_an_item(x, m):
    if m.sum().item() > 0.5:
        return (x * m).sum() / m.sum()  # safe
    return (x * m).sum()


# x=f32[8] in [-1,1]
def guarded_by_a_branch_that_is_never_taken(x):
    if x.max() > 2:
        return torch.log(x - 5)  # safe
    return x


# m=f16[8] in [0,1]
def mask_beyond_half(m):
    return (1 - m) * -1e9  # bug


# m=f16[8] in [0,1]
def mask_within_half(m):
    return (1 - m) * -1e4  # safe


# x=f32[8] in [-1,1]; gradients
def root_of_relu(x):
    return torch.sqrt(F.relu(x)).sum()  # safe


# x=f32[8] in [-2,2]; gradients
def angle_of_clamped(x):
    return torch.acos(x.clamp(-1, 1)).sum()  # safe


# x=f32[8] in [-1,1]; gradients
def root_of_larger(x):
    return torch.sqrt(torch.maximum(x, torch.tensor(0.0))).sum()  # bug


# x=f32[8] in [0,3]
def log_gamma_at_zero(x):
    return torch.lgamma(x).sum()  # bug


# x=f32[8] in [0.1,3]
def log_gamma_of_positive(x):
    return torch.lgamma(x).sum()  # safe


# x=f32[8] in [0,1]
def digamma_at_zero(x):
    return torch.digamma(x).sum()  # bug


# x=f32[8] in [0,1]; gradients
def entropy_by_xlogy(x):
    return -torch.xlogy(x, x).sum()  # bug


# x=f32[8] in [0,10]
def cube_root_of_cube(x):
    return (x**3).pow(1 / 3).sum()  # safe


# x=f32[8] in [0,1]
def root_of_a_share(x):
    return torch.sqrt(x - x * x).sum()  # safe


# a=f32[8] in [-1,1]; b=f32[8] in [-1,1]
def root_of_the_distance(a, b):
    return torch.sqrt(torch.maximum(a, b) - torch.minimum(a, b)).sum()  # safe


# x=f32[8] in [-1,1]
def log_of_the_selected(x):
    return torch.log(x[x > 0]).sum()  # safe


# a=f32[8,16] in [-1,1]; b=f32[8,16] in [-1,1]
def contrast_of_unit_vectors(a, b):
    return torch.exp(F.normalize(a, dim=1) @ F.normalize(b, dim=1).t() / 0.07).sum()  # safe


# a=f32[8,16] in [-1,1]; b=f32[8,16] in [-1,1]
def contrast_too_sharp(a, b):
    return torch.exp(F.normalize(a, dim=1) @ F.normalize(b, dim=1).t() / 0.01).sum()  # bug
