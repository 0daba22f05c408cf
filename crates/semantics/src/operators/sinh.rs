//! Hyperbolic sine.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "sinh",
    summary: "The hyperbolic sine of every element.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(9, "Sinh(input)"), tensorflow("Sinh(input)")],
    define: |call| unary(call, |x| x.sinh()),
    examples: &[
        "sinh(f32[N,3]) -> f32[N,3]",
        "sinh(f32[...]) -> f32[...]",
        "sinh(f32[2]{0,1}) -> f32[2]{0,1.1752011936438014}",
        "sinh(i64[2]) fails: `input` is floating point",
    ],
};
