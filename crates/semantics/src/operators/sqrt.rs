//! Square root.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "sqrt",
    summary: "The square root of every element.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "Sqrt(input)"), tensorflow("Sqrt(input)")],
    define: |call| unary(call, |x| x.sqrt()),
    examples: &[
        "sqrt(f32[N,3]) -> f32[N,3]",
        "sqrt(f32[...]) -> f32[...]",
        "sqrt(f32[2]{4,9}) -> f32[2]{2,3}",
        "sqrt(i64[2]) fails: `input` is floating point",
    ],
};
