//! Inverse hyperbolic sine.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "asinh",
    summary: "The number whose hyperbolic sine every element is.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(9, "Asinh(input)"), tensorflow("Asinh(input)")],
    define: |call| unary(call, |x| x.asinh()),
    examples: &[
        "asinh(f32[N,3]) -> f32[N,3]",
        "asinh(f32[...]) -> f32[...]",
        "asinh(f32[1]{0}) -> f32[1]{0}",
        "asinh(i64[2]) fails: `input` is floating point",
    ],
};
