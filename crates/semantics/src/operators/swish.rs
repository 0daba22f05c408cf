//! Self-gated activation.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "swish",
    summary: "`x * sigmoid(alpha * x)`; with an `alpha` of 1 known as SiLU.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[float("alpha").or_float(1.0)],
    outputs: &["output"],
    spellings: &[onnx(24, "Swish(input; alpha)")],
    define,
    examples: &[
        "swish(f32[N,3]) -> f32[N,3]",
        "swish(f32[...]) -> f32[...]",
        "swish(f32[2]{0,1}) -> f32[2]{0,0.7310585786300049}",
        "swish(f32[1]{-1}, alpha=2) -> f32[1]{-0.11920292202211755}",
        "swish(i64[2]) fails: `input` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let alpha = call.float("alpha")?;
    if alpha > 0.0 {
        return unary_within(call, (-0.3 / alpha, f64::INFINITY), move |x| swish(x, alpha));
    }
    unary(call, move |x| swish(x, alpha))
}

/// `x * sigmoid(alpha * x)`.
pub fn swish(x: Element, alpha: f64) -> Element {
    x * super::sigmoid::sigmoid(x * alpha)
}
