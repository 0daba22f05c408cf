//! Squashing by division.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "softsign",
    summary: "`x / (1 + |x|)`.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "Softsign(input)"), tensorflow("Softsign(input)")],
    define: |call| unary_within(call, (-1.0, 1.0), softsign),
    examples: &[
        "softsign(f32[N,3]) -> f32[N,3]",
        "softsign(f32[...]) -> f32[...]",
        "softsign(f32[3]{-1,0,3}) -> f32[3]{-0.5,0,0.75}",
        "softsign(i64[2]) fails: `input` is floating point",
    ],
};

/// `x / (1 + |x|)`.
pub fn softsign(x: Element) -> Element {
    x / (x.abs() + 1.0)
}
