//! Rectified linear unit with a slope for negative elements.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "leaky_relu",
    summary: "Every element, times `alpha` where it is negative.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[float("alpha").or_float(0.01)],
    outputs: &["output"],
    spellings: &[
        onnx(1, "LeakyRelu(input; alpha=0.009999999776482582)"),
        tensorflow("LeakyRelu(input; alpha=0.2)"),
    ],
    define,
    examples: &[
        "leaky_relu(f32[N,3]) -> f32[N,3]",
        "leaky_relu(f32[...]) -> f32[...]",
        "leaky_relu(f32[3]{-1,0,2}, alpha=0.5) -> f32[3]{-0.5,0,2}",
        "leaky_relu(i64[2]) fails: `input` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let alpha = call.float("alpha")?;
    unary(call, move |x| leaky_relu(x, alpha))
}

/// Zero itself, and what is not a number, passes unchanged.
pub fn leaky_relu(x: Element, alpha: f64) -> Element {
    x.lt(0.0).select(x * alpha, x)
}
