//! Rounding up.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "ceil",
    summary: "The smallest integer that is not below the element.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "Ceil(input)"), tensorflow("Ceil(input)")],
    define: |call| unary(call, |x| x.ceil()),
    examples: &[
        "ceil(f32[N,3]) -> f32[N,3]",
        "ceil(f32[...]) -> f32[...]",
        "ceil(f32[3]{-1.5,1.2,2}) -> f32[3]{-1,2,2}",
        "ceil(i64[2]) fails: `input` is floating point",
    ],
};
