//! Self-gated activation with a smooth gate.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "mish",
    summary: "`x * tanh(softplus(x))`.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(18, "Mish(input)")],
    define: |call| unary_within(call, (-0.33, f64::INFINITY), mish),
    examples: &[
        "mish(f32[N,3]) -> f32[N,3]",
        "mish(f32[...]) -> f32[...]",
        "mish(f32[3]{-1,0,100}) -> f32[3]{-0.30340146137410895,0,100}",
        "mish(i64[2]) fails: `input` is floating point",
    ],
};

/// `x * tanh(ln(1 + exp(x)))`.
pub fn mish(x: Element) -> Element {
    x * super::softplus::softplus(x).tanh()
}
