//! Error function.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "erf",
    summary: "The error function of every element: how likely a normal number lies within it.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(9, "Erf(input)"), tensorflow("Erf(input)")],
    define: |call| unary(call, |x| x.erf()),
    examples: &[
        "erf(f32[N,3]) -> f32[N,3]",
        "erf(f32[...]) -> f32[...]",
        "erf(f32[2]{0,1}) -> f32[2]{0,0.8427007929497149}",
        "erf(i64[2]) fails: `input` is floating point",
    ],
};
