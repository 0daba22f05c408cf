//! Rounding to the nearest integer.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "round",
    summary: "The nearest integer, the even one of two that are equally near.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(11, "Round(input)"), tensorflow("Round(input)"), tensorflow("Rint(input)")],
    define: |call| unary(call, |x| x.round()),
    examples: &[
        "round(f32[N,3]) -> f32[N,3]",
        "round(f32[...]) -> f32[...]",
        "round(f32[5]{0.5,1.5,2.5,-1.2,-1.7}) -> f32[5]{0,2,2,-1,-2}",
        "round(i64[2]) fails: `input` is floating point",
    ],
};
