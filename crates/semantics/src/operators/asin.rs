//! Inverse sine.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "asin",
    summary: "The angle in [-pi/2, pi/2] whose sine every element is.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(7, "Asin(input)"), tensorflow("Asin(input)")],
    define: |call| unary(call, |x| x.asin()),
    examples: &[
        "asin(f32[N,3]) -> f32[N,3]",
        "asin(f32[...]) -> f32[...]",
        "asin(f32[1]{0}) -> f32[1]{0}",
        "asin(i64[2]) fails: `input` is floating point",
    ],
};
