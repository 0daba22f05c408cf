//! Inverse hyperbolic tangent.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "atanh",
    summary: "The number whose hyperbolic tangent every element is.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(9, "Atanh(input)"), tensorflow("Atanh(input)")],
    define: |call| unary(call, |x| x.atanh()),
    examples: &[
        "atanh(f32[N,3]) -> f32[N,3]",
        "atanh(f32[...]) -> f32[...]",
        "atanh(f32[2]{0,0.5}) -> f32[2]{0,0.5493061443340549}",
        "atanh(i64[2]) fails: `input` is floating point",
    ],
};
