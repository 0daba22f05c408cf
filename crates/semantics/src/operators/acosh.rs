//! Inverse hyperbolic cosine.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "acosh",
    summary: "The number from 0 on whose hyperbolic cosine every element is.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(9, "Acosh(input)"), tensorflow("Acosh(input)")],
    define: |call| unary(call, |x| x.acosh()),
    examples: &[
        "acosh(f32[N,3]) -> f32[N,3]",
        "acosh(f32[...]) -> f32[...]",
        "acosh(f32[1]{1}) -> f32[1]{0}",
        "acosh(i64[2]) fails: `input` is floating point",
    ],
};
