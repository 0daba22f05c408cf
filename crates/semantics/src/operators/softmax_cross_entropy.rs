//! Cross entropy of the softmax of logits with given probabilities.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "softmax_cross_entropy",
    summary: "The cross entropy of `labels` and the softmax of `logits` along the last axis, and its gradient for the logits.",
    inputs: &[tensor("logits", FLOAT), tensor("labels", FLOAT).like("logits")],
    parameters: &[],
    outputs: &["loss", "gradients?"],
    spellings: &[tensorflow("SoftmaxCrossEntropyWithLogits(logits, labels)")],
    define,
    examples: &[
        "softmax_cross_entropy(f32[N,10], f32[N,10]) -> f32[N], f32[N,10]",
        "softmax_cross_entropy(f32[1,1]{3}, f32[1,1]{1}) -> f32[1]{0}, f32[1,1]{0}",
        "softmax_cross_entropy(f32[N,10], f32[1,10]) -> f32[N], f32[N,10]",
        "softmax_cross_entropy(f32[3], f32[3]) fails: `logits` is a matrix",
        "softmax_cross_entropy(f32[2,3], f32[3]) fails: `labels` is a matrix",
        "softmax_cross_entropy(f32[2,3], f32[2,4]) fails: `logits` and `labels` broadcast",
        "softmax_cross_entropy(i32[2,3], i32[2,3]) fails: `logits` is floating point",
        "softmax_cross_entropy(f32[2,3], f64[2,3]) fails: `labels` has the element type of `logits`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (logits, labels) = (call.tensor("logits")?, call.tensor("labels")?);
    call.sizes("`logits` is a matrix", logits, 2)?;
    call.sizes("`labels` is a matrix", labels, 2)?;
    let shape = call.broadcast("`logits` and `labels` broadcast", &[logits, labels]);
    let dtype = logits.dtype();
    let outputs = [(dtype, shape.trim(0, 1)), (dtype, shape)];
    Ok(Tensor::composed(outputs, move || {
        let logits = broadcast_to(logits, shape);
        let logarithms = super::log_softmax::log_softmax(logits, &[1]);
        let terms = zip(labels, logarithms, dtype, shape, |label, logarithm| label * logarithm);
        let loss = map(reduce(Fold::Sum, terms, &[1], false), dtype, |total| -total);
        let probabilities = super::softmax::softmax(logits, &[1]);
        let gradients = zip(probabilities, labels, dtype, shape, |probability, label| probability - label);
        vec![loss, gradients]
    }))
}
