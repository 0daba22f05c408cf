//! Hyperbolic tangent.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "tanh",
    summary: "The hyperbolic tangent of every element.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "Tanh(input)"), tensorflow("Tanh(input)")],
    define: |call| unary(call, |x| x.tanh()),
    examples: &[
        "tanh(f32[N,3]) -> f32[N,3]",
        "tanh(f32[...]) -> f32[...]",
        "tanh(f32[2]{0,1}) -> f32[2]{0,0.7615941559557649}",
        "tanh(i64[2]) fails: `input` is floating point",
    ],
};
