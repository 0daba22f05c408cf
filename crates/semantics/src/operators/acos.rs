//! Inverse cosine.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "acos",
    summary: "The angle in [0, pi] whose cosine every element is.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(7, "Acos(input)"), tensorflow("Acos(input)")],
    define: |call| unary(call, |x| x.acos()),
    examples: &[
        "acos(f32[N,3]) -> f32[N,3]",
        "acos(f32[...]) -> f32[...]",
        "acos(f32[1]{1}) -> f32[1]{0}",
        "acos(i64[2]) fails: `input` is floating point",
    ],
};
