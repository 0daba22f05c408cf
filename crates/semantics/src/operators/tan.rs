//! Tangent.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "tan",
    summary: "The tangent of every element, an angle in radians.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(7, "Tan(input)"), tensorflow("Tan(input)")],
    define: |call| unary(call, |x| x.tan()),
    examples: &[
        "tan(f32[N,3]) -> f32[N,3]",
        "tan(f32[...]) -> f32[...]",
        "tan(f32[2]{0,1}) -> f32[2]{0,1.5574077246549023}",
        "tan(i64[2]) fails: `input` is floating point",
    ],
};
