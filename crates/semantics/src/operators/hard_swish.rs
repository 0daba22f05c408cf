//! Swish of straight lines.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "hard_swish",
    summary: "Every element times its hard sigmoid with a slope of 1/6.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(14, "HardSwish(input)")],
    define: |call| unary_within(call, (-0.4, f64::INFINITY), hard_swish),
    examples: &[
        "hard_swish(f32[N,3]) -> f32[N,3]",
        "hard_swish(f32[...]) -> f32[...]",
        "hard_swish(f32[4]{-3,0,3,5}) -> f32[4]{0,0,3,5}",
        "hard_swish(f32[1]{1.5}) -> f32[1]{1.125}",
        "hard_swish(i64[2]) fails: `input` is floating point",
    ],
};

/// `x * max(0, min(1, x / 6 + 0.5))`, the second factor in sixths that are divided out at the end: ONNX rounds the
/// quotient, PyTorch and TensorFlow compute `x * max(0, min(6, x + 3)) / 6`, and what is allowed covers both.
pub fn hard_swish(x: Element) -> Element {
    x * (super::hard_sigmoid::hard_sigmoid(x, 1.0 / 6.0, 0.5) * 6.0) / 6.0
}
