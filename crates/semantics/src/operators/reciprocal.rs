//! One over a number.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "reciprocal",
    summary: "One divided by every element.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "Reciprocal(input)"), tensorflow("Reciprocal(input)"), tensorflow("Inv(input)")],
    define: |call| unary(call, |x| x.reciprocal()),
    examples: &[
        "reciprocal(f32[N,3]) -> f32[N,3]",
        "reciprocal(f32[...]) -> f32[...]",
        "reciprocal(f32[2]{4,-0.5}) -> f32[2]{0.25,-2}",
        "reciprocal(i64[2]) fails: `input` is floating point",
    ],
};
