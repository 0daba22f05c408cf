//! Continuously differentiable exponential linear unit.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "celu",
    summary: "`max(0, x) + min(0, alpha * (exp(x / alpha) - 1))`.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[float("alpha").or_float(1.0)],
    outputs: &["output"],
    spellings: &[onnx(12, "Celu(input; alpha)")],
    define,
    examples: &[
        "celu(f32[N,3]) -> f32[N,3]",
        "celu(f32[...]) -> f32[...]",
        "celu(f32[3]{-1,0,2}, alpha=2) -> f32[3]{-0.7869386805747332,0,2}",
        "celu(f32[1]{-1}, alpha=-1) -> f32[1]{-1.718281828459045}",
        "celu(i64[2]) fails: `input` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let alpha = call.float("alpha")?;
    unary(call, move |x| celu(x, alpha))
}

/// For a positive `alpha` the exponent matters only below zero; cut there it cannot overflow.
pub fn celu(x: Element, alpha: f64) -> Element {
    let exponent = x / alpha;
    let exponent = if alpha > 0.0 { exponent.min(0.0) } else { exponent };
    x.max(0.0) + ((exponent.exp() - 1.0) * alpha).min(0.0)
}
