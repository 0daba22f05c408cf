//! Exponential linear unit.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "elu",
    summary: "Every element, or `alpha * (exp(x) - 1)` where it is negative.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[float("alpha").or_float(1.0)],
    outputs: &["output"],
    spellings: &[onnx(1, "Elu(input; alpha)"), tensorflow("Elu(input)")],
    define,
    examples: &[
        "elu(f32[N,3]) -> f32[N,3]",
        "elu(f32[...]) -> f32[...]",
        "elu(f32[3]{-1,0,2}) -> f32[3]{-0.6321205588285577,0,2}",
        "elu(f32[2]{-1,1}, alpha=2) -> f32[2]{-1.2642411176571153,1}",
        "elu(i64[2]) fails: `input` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let alpha = call.float("alpha")?;
    unary(call, move |x| elu(x, alpha))
}

/// The exponent is cut at zero, so that the branch not taken cannot overflow.
pub fn elu(x: Element, alpha: f64) -> Element {
    x.lt(0.0).select((x.min(0.0).exp() - 1.0) * alpha, x)
}
