//! Hyperbolic cosine.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "cosh",
    summary: "The hyperbolic cosine of every element.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(9, "Cosh(input)"), tensorflow("Cosh(input)")],
    define: |call| unary(call, |x| x.cosh()),
    examples: &[
        "cosh(f32[N,3]) -> f32[N,3]",
        "cosh(f32[...]) -> f32[...]",
        "cosh(f32[2]{0,1}) -> f32[2]{1,1.5430806348152437}",
        "cosh(i64[2]) fails: `input` is floating point",
    ],
};
