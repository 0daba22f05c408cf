//! Cosine.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "cos",
    summary: "The cosine of every element, an angle in radians.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(7, "Cos(input)"), tensorflow("Cos(input)")],
    define: |call| unary(call, |x| x.cos()),
    examples: &[
        "cos(f32[N,3]) -> f32[N,3]",
        "cos(f32[...]) -> f32[...]",
        "cos(f32[1]{0}) -> f32[1]{1}",
        "cos(i64[2]) fails: `input` is floating point",
    ],
};
