//! Cross entropy of the softmax of logits with classes.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "sparse_softmax_cross_entropy",
    summary: "The cross entropy of the class `labels` and the softmax of `logits`, and its gradient for the logits.",
    inputs: &[tensor("logits", FLOAT), tensor("labels", INDEX)],
    parameters: &[],
    outputs: &["loss", "gradients?"],
    spellings: &[tensorflow("SparseSoftmaxCrossEntropyWithLogits(logits, labels)")],
    define,
    examples: &[
        "sparse_softmax_cross_entropy(f32[N,10], i64[N]) -> f32[N], f32[N,10]",
        "sparse_softmax_cross_entropy(f32[1,1]{3}, i32[1]{0}) -> f32[1]{0}, f32[1,1]{0}",
        "sparse_softmax_cross_entropy(f32[3], i32[1]) fails: `logits` is a matrix",
        "sparse_softmax_cross_entropy(f32[2,3], i32[2,1]) fails: `labels` is a vector",
        "sparse_softmax_cross_entropy(f32[2,3], i32[3]) fails: `labels` has one class per row of `logits`",
        "sparse_softmax_cross_entropy(i32[2,3], i32[2]) fails: `logits` is floating point",
        "sparse_softmax_cross_entropy(f32[2,3], f32[2]) fails: `labels` is int32 or int64",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (logits, labels) = (call.tensor("logits")?, call.tensor("labels")?);
    let [rows, classes] = call.dims("`logits` is a matrix", logits)?;
    let [length] = call.dims("`labels` is a vector", labels)?;
    call.require_shape("`labels` has one class per row of `logits`", length.eq(rows));
    let (dtype, shape) = (logits.dtype(), Shape::new([rows, classes]));
    let outputs = [(dtype, Shape::new([rows])), (dtype, shape)];
    Ok(Tensor::composed(outputs, move || {
        let logarithms = super::log_softmax::log_softmax(logits, &[1]);
        let loss = Tensor::from_elements(dtype, Shape::new([rows]), move |index| {
            -logarithms.at(&[index[0], labels.at(index).as_index()])
        });
        let probabilities = super::softmax::softmax(logits, &[1]);
        let gradients = Tensor::from_elements(dtype, shape, move |index| {
            let hit = labels.at(&index[..1]).as_index().eq(index[1]);
            let kind = probabilities.kind();
            let one = Element::when(hit, Element::constant(kind, 1.0), Element::constant(kind, 0.0));
            probabilities.at(index) - one
        });
        vec![loss, gradients]
    }))
}
