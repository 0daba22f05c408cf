//! Logistic function of straight lines.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "hard_sigmoid",
    summary: "`alpha * x + beta`, cut to [0, 1].",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[float("alpha").or_float(0.2), float("beta").or_float(0.5)],
    outputs: &["output"],
    spellings: &[onnx(1, "HardSigmoid(input; alpha=0.20000000298023224, beta)")],
    define,
    examples: &[
        "hard_sigmoid(f32[N,3]) -> f32[N,3]",
        "hard_sigmoid(f32[...]) -> f32[...]",
        "hard_sigmoid(f32[3]{-5,1,5}, alpha=0.25) -> f32[3]{0,0.75,1}",
        "hard_sigmoid(i64[2]) fails: `input` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let alpha = call.float("alpha")?;
    let beta = call.float("beta")?;
    unary(call, move |x| hard_sigmoid(x, alpha, beta))
}

/// `max(0, min(1, alpha * x + beta))`.
pub fn hard_sigmoid(x: Element, alpha: f64, beta: f64) -> Element {
    (x * alpha + beta).min(1.0).max(0.0)
}
