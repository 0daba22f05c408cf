//! Linear unit above a threshold.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "thresholded_relu",
    summary: "Every element above `alpha`, zero for the others.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[float("alpha").or_float(1.0)],
    outputs: &["output"],
    spellings: &[onnx(10, "ThresholdedRelu(input; alpha)")],
    define,
    examples: &[
        "thresholded_relu(f32[N,3]) -> f32[N,3]",
        "thresholded_relu(f32[...]) -> f32[...]",
        "thresholded_relu(f32[4]{-1,1,1.5,3}) -> f32[4]{0,0,1.5,3}",
        "thresholded_relu(f32[2]{2,3}, alpha=2) -> f32[2]{0,3}",
        "thresholded_relu(i64[2]) fails: `input` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let alpha = call.float("alpha")?;
    unary(call, move |x| thresholded_relu(x, alpha))
}

/// An element that equals `alpha` does not pass.
pub fn thresholded_relu(x: Element, alpha: f64) -> Element {
    x.gt(alpha).select(x, Element::constant(x.kind(), 0.0))
}
