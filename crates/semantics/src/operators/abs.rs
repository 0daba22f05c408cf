//! Magnitude.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "abs",
    summary: "The magnitude of every element.",
    inputs: &[tensor("input", NUMERIC)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "Abs(input)"), tensorflow("Abs(input)")],
    define: |call| unary(call, |x| x.abs()),
    examples: &[
        "abs(f32[N,3]) -> f32[N,3]",
        "abs(f32[...]) -> f32[...]",
        "abs(f32[2]{-1.5,2}) -> f32[2]{1.5,2}",
        "abs(i8[2]{-128,-3}) -> i8[2]{-128,3}",
        "abs(bool[2]) fails: `input` is a real number type",
    ],
};
