//! The loss of scores against the classes they should have chosen.

use super::negative_log_likelihood_loss::{REDUCTIONS, likelihood_loss};
use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "softmax_cross_entropy_loss",
    summary: "Turns scores into log-probabilities over the classes (axis 1) and gives their negative log-likelihood loss.",
    inputs: &[
        tensor("input", FLOAT),
        tensor("target", INDEX),
        tensor("weight", FLOAT).like("input").optional(),
    ],
    parameters: &[int("ignore_index").optional(), word("reduction", REDUCTIONS).or_word("mean")],
    outputs: &["loss", "log_probabilities?"],
    spellings: &[onnx(
        12,
        "SoftmaxCrossEntropyLoss(input, target, weight; ignore_index, reduction:else sum)",
    )],
    define,
    examples: &[
        "softmax_cross_entropy_loss(f32[N,C,H], i64[N,H]) -> f32[], f32[N,C,H]",
        "softmax_cross_entropy_loss(f32[N,10], i64[N], reduction=none) -> f32[N], f32[N,10]",
        "softmax_cross_entropy_loss(f32[1,2]{0,0}, i64[1]{1}) -> f32[]{0.6931472}, f32[1,2]{-0.6931472,-0.6931472}",
        "softmax_cross_entropy_loss(f32[2,2]{0,0,9,9}, i64[2]{1,0}, f32[2]{1,3}, reduction=sum) -> f32[]{2.7725887}",
        "softmax_cross_entropy_loss(f32[2,2]{0,0,9,1}, i64[2]{1,7}, ignore_index=7) -> f32[]{0.6931472}",
        "softmax_cross_entropy_loss(f32[5], i64[]) fails: `input` has a batch and a class axis",
        "softmax_cross_entropy_loss(f32[3,5], i64[3,1]) fails: `target` has the shape of `input` without the classes",
        "softmax_cross_entropy_loss(f32[3,5], i64[3], f32[5,1]) fails: `weight` is a vector",
        "softmax_cross_entropy_loss(f32[3,5], i64[3], f32[4]) fails: `weight` has one value per class",
        "softmax_cross_entropy_loss(f32[2,5], i64[2]{0,5}) fails: every target is a class",
        "softmax_cross_entropy_loss(f32[3,5], i64[3], reduction=max) fails: `reduction` is one of none, mean, sum",
        "softmax_cross_entropy_loss(i32[3,5], i64[3]) fails: `input` is floating point",
        "softmax_cross_entropy_loss(f32[3,5], f32[3]) fails: `target` is int32 or int64",
        "softmax_cross_entropy_loss(f32[3,5], i64[3], f64[5]) fails: `weight` has the element type of `input`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, target, weight) = (call.tensor("input")?, call.tensor("target")?, call.optional("weight"));
    let outputs = [(input.dtype(), input.shape())];
    let logarithms = Tensor::composed(outputs, move || vec![log_probabilities(input)])[0];
    let loss = likelihood_loss(call, input, target, weight, logarithms)?;
    Ok([loss, logarithms].into_iter().collect())
}

/// `x - ln(sum of exp(x))` over the classes, shifted by the largest score so that `exp` cannot overflow.
fn log_probabilities(scores: Tensor) -> Tensor {
    let (dtype, shape) = (scores.dtype(), scores.shape());
    let peak = reduce(Fold::Max, scores, &[1], true);
    let shifted = zip(scores, peak, dtype, shape, |x, peak| x - peak);
    let total = reduce_map(Fold::Sum, shifted, dtype, &[1], true, |x| x.exp());
    zip(shifted, total, dtype, shape, |x, total| x - total.ln()).within(f64::NEG_INFINITY, 0.0)
}
