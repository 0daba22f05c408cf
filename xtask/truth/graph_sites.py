"""Writes labelled sites of TensorFlow graphs: `python graph_sites.py > crates/tensorvet/tests/sites/graphs.md`.

Each function builds one graph whose operation `site` is a bug or safe for inputs in the ranges given. The labels were
written down before any tool had looked at them; `numerics.py` runs every graph on corner and random inputs.
"""

import re

import tensorflow as tf
from google.protobuf import text_format

tf1 = tf.compat.v1
SITES = []


def site(label, **ranges):
    def add(build):
        SITES.append((build.__name__, label, ranges, build))
        return build

    return add


def x(name="x", shape=(4, 8), dtype=tf.float32):
    return tf1.placeholder(dtype, shape, name)


# --- bugs


@site("bug", x="[-30,30]")
def log_of_softmax():
    tf.math.log(tf.nn.softmax(x() * 4.0), name="site")


@site("bug", x="[-20,20]")
def log_of_one_minus_sigmoid():
    tf.math.log(1.0 - tf.sigmoid(x()), name="site")


@site("bug", x="[0,1]")
def entropy_by_hand():
    p = x()
    tf.reduce_sum(-p * tf.math.log(p, name="site"))


@site("bug", x="[-100,100]")
def exp_of_scores():
    e = tf.exp(x(), name="site")
    e / tf.reduce_sum(e, axis=1, keepdims=True)


@site("bug", x="[0,6]")
def division_by_row_sum():
    r = tf.nn.relu(x() - 3.0)
    tf.divide(r, tf.reduce_sum(r, axis=1, keepdims=True), name="site")


@site("bug", x="[-2,2]")
def root_of_difference():
    a = x()
    tf.sqrt(tf.square(a) - 1.0, name="site")


@site("bug", x="[-3,3]")
def naive_variance_root():
    a = x()
    m = tf.reduce_mean(a, axis=1)
    s = tf.reduce_mean(tf.square(a), axis=1)
    tf.sqrt(s - tf.square(m), name="site")


@site("bug", x="[-1,1]")
def rsqrt_of_square():
    tf.math.rsqrt(tf.reduce_sum(tf.square(x()), axis=1), name="site")


@site("bug", x="[0,1]", y="[0,1]")
def ratio_of_inputs():
    tf.divide(x(), x("y"), name="site")


@site("bug", x="[-1,1]")
def log1p_below():
    tf.math.log1p(x() * 1.5, name="site")


@site("bug", x="[-1.5,1.5]")
def acos_outside():
    tf.acos(x(), name="site")


@site("bug", x="[-4,4]")
def pow_of_negative():
    tf.pow(x(), 0.5, name="site")


@site("bug", x="[0,4]")
def pow_negative_exponent():
    tf.pow(x(), -2.0, name="site")


@site("bug", x="[0,1]")
def epsilon_absorbed():
    tf.math.log(1.0 - x() * (1.0 - 1e-9), name="site")


@site("bug", x="[-60,60]")
def half_precision_exp():
    tf.exp(tf.cast(x(), tf.float16), name="site")


@site("bug", x="[0,1]")
def half_precision_epsilon():
    a = tf.cast(x(), tf.float16)
    tf.math.log(a + tf.constant(1e-8, tf.float16), name="site")


@site("bug", x="[0,400]")
def half_precision_squares():
    a = tf.cast(x(), tf.float16)
    tf.multiply(a, a, name="site")


@site("bug", x="[-1,1]", w="[-40,40]")
def sigmoid_loss_with_variable():
    w = tf1.get_variable("w", [8, 1])
    p = tf.sigmoid(tf.matmul(x(), w))
    tf.math.log(p, name="site")


@site("bug", x="[-1,1]", y="[-1,1]")
def cosine_without_epsilon():
    a, b = x(), x("y")
    na = tf.sqrt(tf.reduce_sum(a * a, axis=1))
    nb = tf.sqrt(tf.reduce_sum(b * b, axis=1))
    tf.divide(tf.reduce_sum(a * b, axis=1), na * nb, name="site")


@site("bug", x="[-5,5]")
def min_max_scaling():
    a = x()
    low = tf.reduce_min(a)
    tf.divide(a - low, tf.reduce_max(a) - low, name="site")


@site("bug", x="[0,1]")
def where_after_log():
    # The value is masked, so this is a bug only of what is computed, which is not used: the mask hides too little.
    a = x()
    tf.math.log(tf.where(a > 0.5, a, tf.zeros_like(a)), name="site")


@site("bug", x="[0,20]")
def atanh_of_probability():
    tf.atanh(tf.tanh(x()), name="site")


# --- safe, but tricky


@site("safe", x="[-30,30]")
def log_of_clipped_softmax():
    tf.math.log(tf.clip_by_value(tf.nn.softmax(x() * 4.0), 1e-10, 1.0), name="site")


@site("safe", x="[-30,30]")
def log_softmax():
    tf.identity(tf.nn.log_softmax(x() * 4.0), name="site")


@site("safe", x="[-200,200]")
def cross_entropy_with_logits():
    tf1.nn.softmax_cross_entropy_with_logits_v2(
        labels=tf.constant([[1.0] + [0.0] * 7] * 4), logits=x(), name="site"
    )


@site("safe", x="[-100,100]")
def exp_minus_max():
    a = x()
    tf.exp(a - tf.reduce_max(a, axis=1, keepdims=True), name="site")


@site("safe", x="[-100,100]")
def softmax_by_hand_with_max():
    a = x()
    e = tf.exp(a - tf.reduce_max(a, axis=1, keepdims=True))
    tf.divide(e, tf.reduce_sum(e, axis=1, keepdims=True), name="site")


@site("safe", x="[-3,3]")
def log_sum_exp_by_hand():
    tf.math.log(tf.reduce_sum(tf.exp(x()), axis=1), name="site")


@site("safe", x="[-9,9]")
def sigmoid_within_reach():
    tf.math.log(tf.sigmoid(x()), name="site")


@site("safe", x="[-3,3]")
def variance_by_distances():
    a = x()
    d = a - tf.reduce_mean(a, axis=1, keepdims=True)
    tf.math.rsqrt(tf.reduce_mean(d * d, axis=1) + 1e-5, name="site")


@site("safe", x="[-3,3]")
def variance_with_epsilon():
    a = x()
    v = tf.reduce_mean(tf.square(a), axis=1) - tf.square(tf.reduce_mean(a, axis=1))
    tf.sqrt(v + 1e-2, name="site")


@site("safe", x="[0,6]")
def division_by_larger_sum():
    r = tf.nn.relu(x() - 3.0)
    tf.divide(r, tf.reduce_sum(r, axis=1, keepdims=True) + 1e-6, name="site")


@site("safe", x="[-1,1]", y="[-1,1]")
def cosine_with_maximum():
    a, b = x(), x("y")
    na = tf.sqrt(tf.maximum(tf.reduce_sum(a * a, axis=1), 1e-12))
    nb = tf.sqrt(tf.maximum(tf.reduce_sum(b * b, axis=1), 1e-12))
    tf.divide(tf.reduce_sum(a * b, axis=1), na * nb, name="site")


@site("safe", x="[-4,4]")
def where_before_log():
    a = x()
    tf.math.log(tf.where(a > 0.25, a, tf.ones_like(a)), name="site")


@site("safe", x="[-4,4]")
def relu_pair():
    # relu(x) + relu(-x) is |x|, and one more is at least one.
    a = x()
    tf.math.log(tf.nn.relu(a) + tf.nn.relu(-a) + 1.0, name="site")


@site("safe", c="[0,10]", o="[1,2]")
def width_of_a_box():
    centre, offset = x("c"), x("o")
    tf.math.log((centre + offset) - (centre - offset), name="site")


@site("safe", x="[-1,1]")
def square_plus_one():
    a = x()
    tf.divide(1.0, a * a + 1.0, name="site")


@site("safe", x="[0,1]")
def part_of_a_concat():
    a = x()
    both = tf.concat([a, a + 1.0], axis=1)
    tf.math.log(both[:, 8:], name="site")


@site("safe", x="[-50,50]")
def softplus_log():
    tf.math.log(tf.nn.softplus(x()) + 1e-3, name="site")


@site("safe", x="[-1,1]")
def clipped_acos():
    a = tf.nn.l2_normalize(x(), axis=1)
    tf.acos(tf.clip_by_value(tf.reduce_sum(a * a[::-1], axis=1), -1.0 + 1e-6, 1.0 - 1e-6), name="site")


@site("safe", x="[-60,60]")
def half_precision_clipped():
    tf.exp(tf.cast(tf.clip_by_value(x(), -10.0, 10.0), tf.float16), name="site")


@site("safe", x="[-1,1]", w="[-5,5]")
def small_weights():
    w = tf1.get_variable("w", [8, 1])
    tf.math.log(tf.sigmoid(tf.matmul(x(), w)), name="site")


@site("safe", x="[0,1]")
def gather_of_positive():
    a = tf.concat([x(shape=(8,)), tf.constant([2.0, 3.0, 4.0])], axis=0)
    tf.math.log(tf.gather(a, [8, 9, 10]), name="site")


@site("safe", x="[-3,3]")
def mean_of_batch():
    a = tf1.placeholder(tf.float32, [None, 8], "x")
    tf.divide(tf.reduce_sum(a, axis=0), tf.cast(tf.shape(a)[0], tf.float32), name="site")


@site("safe", x="[0,1]")
def probability_ratio():
    p = tf.clip_by_value(x(), 0.05, 0.95)
    tf.math.log(p / (1.0 - p), name="site")


@site("safe", x="[0,1]")
def quotient_without_nan():
    tf1.div_no_nan(1.0, x(), name="site")


@site("safe", x="[0,1]")
def entropy_without_nan():
    a = x()
    tf.math.xlogy(a, a, name="site")


@site("safe", x="[-5,5]")
def log_of_unit_vectors():
    tf.math.log(1.5 - tf.nn.l2_normalize(x(), 1), name="site")


@site("safe", x="[-5,5]")
def mean_over_an_open_batch():
    a = tf1.placeholder(tf.float32, [None, 784], "x")
    tf.divide(a, tf.cast(tf.reduce_prod(tf.shape(a)), tf.float32), name="site")


# --- loops, aliases, variables that the program sets, assertions, lists


@site("bug", x="[-1,1]")
def log_behind_an_identity():
    tf.identity(tf.stop_gradient(tf.math.log(x(), name="site")), name="loss")


@site("bug", x="[-1,1]")
def quotient_that_is_checked():
    tf.debugging.check_numerics(tf.divide(1.0, x(), name="site"), "quotient")


@site("bug", x="[-1,1]")
def exponent_that_is_renamed():
    tf.identity(tf.cast(tf.exp(x() * 200.0, name="site"), tf.float32), name="loss")


@site("bug", x="[1,2]")
def counter_from_zero():
    a = x()
    tf1.while_loop(
        lambda i, s: i < 5,
        lambda i, s: (i + 1, s + tf.divide(a, tf.cast(i, tf.float32), name="site")),
        [0, tf.zeros((4, 8))],
    )


@site("safe", x="[1,2]")
def counter_from_one():
    a = x()
    tf1.while_loop(
        lambda i, s: i < 5,
        lambda i, s: (i + 1, s + tf.divide(a, tf.cast(i, tf.float32), name="site")),
        [1, tf.zeros((4, 8))],
    )


@site("safe", x="[1,2]")
def rounds_that_are_left():
    a = x()
    tf1.while_loop(
        lambda i, s: i < 5,
        lambda i, s: (i + 1, s + tf.divide(a, tf.cast(5 - i, tf.float32), name="site")),
        [0, tf.zeros((4, 8))],
    )


@site("bug", x="[1,2]")
def rounds_that_are_left_of_one_too_few():
    a = x()
    tf1.while_loop(
        lambda i, s: i < 5,
        lambda i, s: (i + 1, s + tf.divide(a, tf.cast(4 - i, tf.float32), name="site")),
        [0, tf.zeros((4, 8))],
    )


@site("bug", x="[0,2]")
def exponent_that_grows():
    _, y = tf1.while_loop(lambda i, y: i < 8, lambda i, y: (i + 1, y * 2.0), [0, x()])
    tf.exp(y, name="site")


@site("safe", x="[-1,1]")
def damped_by_tanh():
    a = x()
    _, y = tf1.while_loop(lambda i, y: i < 10, lambda i, y: (i + 1, tf.tanh(y + a)), [0, tf.zeros((4, 8))])
    tf.math.log(y + 1.5, name="site")


@site("safe", x="[-1,1]")
def moving_variance_by_difference():
    a = x()
    v = tf1.get_variable("v", [8], initializer=tf1.ones_initializer(), trainable=False)
    _, batch = tf.nn.moments(a, [0])
    tf1.assign_sub(v, (v - batch) * 0.1)
    tf.math.rsqrt(v + 1e-3, name="site")


@site("safe", x="[-1,1]")
def moving_variance_by_mixture():
    a = x()
    v = tf1.get_variable("v", [8], initializer=tf1.zeros_initializer(), trainable=False)
    _, batch = tf.nn.moments(a, [0])
    tf1.assign(v, v * 0.99 + batch * 0.01)
    tf.math.rsqrt(v + 1e-3, name="site")


@site("bug", x="[-1,1]")
def moving_variance_of_nothing():
    a = x()
    v = tf1.get_variable("v", [8], initializer=tf1.zeros_initializer(), trainable=False)
    _, batch = tf.nn.moments(a, [0])
    tf1.assign_sub(v, (v - batch) * 0.1)
    tf.math.rsqrt(v, name="site")


@site("safe", x="[-1,1]")
def zeros_replaced_before():
    a = x()
    tf.divide(1.0, tf.where(tf.equal(a, 0.0), tf.ones_like(a), a), name="site")


@site("safe", x="[0,1]", m="[0,1]")
def masked_mean_without_nan():
    m = x("m")
    tf.math.divide_no_nan(tf.reduce_sum(x() * m), tf.reduce_sum(m), name="site")


@site("safe", a="[0,1]", b="[0,1]")
def share_of_two():
    a, b = x("a"), x("b")
    tf.where(a + b > 0.0, tf.divide(a, a + b, name="share"), tf.zeros_like(a), name="site")


@site("bug", x="[0,1]")
def logarithm_of_each_row():
    tf.identity(tf.map_fn(lambda row: tf.math.log(row, name="site"), x()), name="rows")


@site("safe", x="[0,1]")
def logarithm_of_each_raised_row():
    tf.identity(tf.map_fn(lambda row: tf.math.log(row + 1e-3, name="site"), x()), name="rows")


# --- graphs of a later round, in the manner of programs that use `tf.compat.v1`


@site("safe", x="[-200,200]")
def sigmoid_by_hand():
    # The power overflows, and the quotient is zero, which is right.
    tf.divide(1.0, 1.0 + tf.exp(-x()), name="site")


@site("safe", x="[-200,200]")
def swish_by_hand():
    a = x()
    tf.divide(a, 1.0 + tf.exp(-a), name="site")


@site("bug", x="[-200,200]")
def tangent_by_hand():
    a = x()
    e = tf.exp(2.0 * a, name="site")
    tf.divide(e - 1.0, e + 1.0, name="loss")


@site("bug", x="[-200,200]")
def gradient_of_sigmoid_by_hand():
    a = x()
    y = tf.reduce_sum(1.0 / (1.0 + tf.exp(-a, name="site")))
    tf.identity(tf1.gradients(y, [a])[0], name="loss")


@site("bug", x="[0,1]", y="[0,1]", w="[-20,20]", b="[-1,1]")
def cross_entropy_of_a_softmax():
    w = tf1.get_variable("w", [8, 3], initializer=tf1.zeros_initializer())
    b = tf1.get_variable("b", [3], initializer=tf1.zeros_initializer())
    p = tf.nn.softmax(tf.matmul(x(), w) + b)
    loss = -tf.reduce_sum(x("y", (4, 3)) * tf.math.log(p, name="site"))
    tf1.train.GradientDescentOptimizer(0.5).minimize(loss)
    tf.identity(loss, name="loss")


@site("safe", x="[0,1]", y="[0,1]", w="[-20,20]")
def cross_entropy_of_a_clipped_softmax():
    w = tf1.get_variable("w", [8, 3], initializer=tf1.zeros_initializer())
    p = tf.nn.softmax(tf.matmul(x(), w))
    loss = -tf.reduce_sum(x("y", (4, 3)) * tf.math.log(tf.clip_by_value(p, 1e-10, 1.0), name="site"))
    tf1.train.GradientDescentOptimizer(0.5).minimize(loss)
    tf.identity(loss, name="loss")


@site("bug", x="[0,1]", y="[0,1]", w="[-20,20]")
def logistic_regression_by_hand():
    w = tf1.get_variable("w", [8, 1], initializer=tf1.zeros_initializer())
    h = 1.0 / (1.0 + tf.exp(-tf.matmul(x(), w)))
    y = x("y", (4, 1))
    loss = -tf.reduce_mean(y * tf.math.log(h, name="site") + (1.0 - y) * tf.math.log(1.0 - h))
    tf1.train.GradientDescentOptimizer(0.01).minimize(loss)
    tf.identity(loss, name="loss")


@site("bug", a="[0,5]", b="[1,5]")
def zero_over_itself():
    a = x("a")
    tf.divide(a, a + 0.0 * x("b"), name="site")


@site("safe", a="[0,5]", b="[1,5]")
def inverse_of_inverses():
    # Where the first is zero its inverse is infinite, and the inverse of that is zero again.
    tf.divide(1.0, 1.0 / x("a") + 1.0 / x("b"), name="site")


@site("bug", x="[-3,3]")
def deviation_of_moments():
    a = x()
    mean, variance = tf.nn.moments(a, axes=[0])
    tf.divide(a - mean, tf.sqrt(variance), name="site")


@site("safe", x="[-3,3]")
def normalised_by_moments():
    a = x()
    mean, variance = tf.nn.moments(a, axes=[0])
    tf.identity(tf.nn.batch_normalization(a, mean, variance, None, None, 1e-3), name="site")


@site("safe", x="[-5,5]", y="[-5,5]")
def distance_of_pairs_with_an_epsilon():
    a, b = x(), x("y")
    d = tf.sqrt(tf.reduce_sum(tf.square(a - b), axis=1) + 1e-6)
    g = tf1.gradients(tf.reduce_sum(d), [a])[0]
    tf.identity(g, name="site")


@site("bug", x="[0,1]", y="[0,1]")
def dice_of_two_masks():
    a, b = x(), x("y")
    tf.divide(2.0 * tf.reduce_sum(a * b), tf.reduce_sum(a) + tf.reduce_sum(b), name="site")


@site("safe", x="[0,1]", y="[0,1]")
def dice_with_one_more():
    a, b = x(), x("y")
    tf.divide(2.0 * tf.reduce_sum(a * b) + 1.0, tf.reduce_sum(a) + tf.reduce_sum(b) + 1.0, name="site")


@site("bug", x="[-30,30]", s="[-60,60]")
def likelihood_of_a_normal():
    a, s = x(), x("s")
    tf.reduce_mean(0.5 * tf.square(a) / tf.exp(2.0 * s, name="site") + s, name="loss")


@site("safe", x="[-30,30]", s="[-60,60]")
def likelihood_of_a_bounded_normal():
    a, s = x(), tf.clip_by_value(x("s"), -10.0, 10.0)
    tf.reduce_mean(0.5 * tf.square(a) * tf.exp(-2.0 * s, name="site") + s, name="loss")


@site("bug", x="[-9,9]", u="[0,1]")
def draws_of_gumbel():
    tf.nn.softmax(x() - tf.math.log(-tf.math.log(x("u"), name="site")), name="loss")


@site("safe", x="[-9,9]", u="[0,1]")
def draws_of_gumbel_kept_inside():
    u = tf.clip_by_value(x("u"), 1e-6, 1.0 - 1e-6)
    tf.nn.softmax(x() - tf.math.log(-tf.math.log(u), name="site"), name="loss")


@site("bug", x="[-1,1]")
def gradient_of_a_logarithm_that_is_left_out():
    r = tf.nn.relu(x())
    slope = tf.where(r > 0, tf.ones_like(r), tf.zeros_like(r)) * tf.math.reciprocal(r, name="site")
    tf.identity(tf.raw_ops.ReluGrad(gradients=slope, features=r), name="loss")


@site("safe", x="[-1,1]")
def gradient_of_a_logarithm_kept_off_zero():
    r = tf.nn.relu(x())
    safe = tf.where(r > 0, r, tf.ones_like(r))
    slope = tf.where(r > 0, tf.ones_like(r), tf.zeros_like(r)) * tf.math.reciprocal(safe, name="site")
    tf.identity(tf.raw_ops.ReluGrad(gradients=slope, features=r), name="loss")


@site("safe", x="[-900,900]")
def logsumexp_of_an_open_batch():
    scores = x(shape=(None, 10))
    most = tf.reduce_max(scores, axis=1, keepdims=True)
    most = tf.stop_gradient(tf.where(tf.math.is_finite(most), most, tf.zeros_like(most)))
    powers = tf.exp(scores - most, name="site")
    tf.math.log(tf.reduce_sum(powers, axis=1), name="loss")


@site("bug", x="[-900,900]")
def logsumexp_of_an_open_batch_by_hand():
    powers = tf.exp(x(shape=(None, 10)), name="site")
    tf.math.log(tf.reduce_sum(powers, axis=1), name="loss")


@site("safe", x="[-30,30]")
def the_rest_of_a_mean_of_an_open_batch():
    mean = tf.reduce_mean(tf.sigmoid(x(shape=(None, 8))), axis=0)
    tf.sqrt(1.0 - mean, name="site")


@site("bug", x="[-30,30]")
def the_logarithm_of_the_rest_of_a_mean_of_an_open_batch():
    mean = tf.reduce_mean(tf.sigmoid(x(shape=(None, 8))), axis=0)
    tf.math.log(1.0 - mean, name="site")


# --- written


def short(graph, kept):
    graph = tf1.graph_util.extract_sub_graph(graph, kept)
    lines = []
    for node in graph.node:
        node.device = ""
        for key in list(node.attr):
            if key.startswith("_") or key in ("container", "shared_name", "validate_shape", "use_locking"):
                del node.attr[key]
        text = text_format.MessageToString(node, as_one_line=True)
        lines.append("node { " + re.sub(r"\s+", " ", text).strip() + " }")
    return "\n".join(lines)


def main():
    print("# Sites of TensorFlow graphs that are labelled\n")
    print("Each block is one graph: its label, the ranges of its inputs and variables, and the operation `site`.")
    print("Written by `xtask/truth/graph_sites.py`, run in TensorFlow by `cargo xtask numerics sites`.")
    for name, label, ranges, build in SITES:
        with tf.Graph().as_default() as graph:
            tf1.disable_resource_variables()
            tf1.disable_control_flow_v2()
            build()
            named = [o.name for o in graph.get_operations() if o.name == "site" or o.name.endswith("/site")]
            changes = [o.name for o in graph.get_operations() if o.type.startswith("Assign")]
            # What comes of a site in a loop is kept, so that the loop is one.
            ends = [o.name for o in graph.get_operations() if o.type == "Exit" or o.name in ("loss", "rows", "CheckNumerics")]
            text = short(graph.as_graph_def(), named + changes + ends)
        told = " ".join(f"{each}={range_}" for each, range_ in ranges.items())
        print(f"\n## {name.replace('_', ' ')}\n\n```graphdef {label} {told}\n{text}\n```")


if __name__ == "__main__":
    main()
