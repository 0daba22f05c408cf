//! Smooth rectified linear unit.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "softplus",
    summary: "`ln(exp(x) + 1)`.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "Softplus(input)"), tensorflow("Softplus(input)")],
    define: |call| unary(call, softplus),
    examples: &[
        "softplus(f32[N,3]) -> f32[N,3]",
        "softplus(f32[...]) -> f32[...]",
        "softplus(f32[3]{0,1,100}) -> f32[3]{0.6931471805599453,1.3132616875182228,100}",
        "softplus(i64[2]) fails: `input` is floating point",
    ],
};

/// `max(x, 0) + ln(1 + exp(-|x|))`: the same number, and nothing overflows. The logarithm is added in halves: who takes
/// it of the whole rounds once more in the last place of the result.
pub fn softplus(x: Element) -> Element {
    let half = (-x.abs()).exp().log1p() * 0.5;
    x.max(0.0) + half + half
}
