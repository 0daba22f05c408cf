//! Exponential function.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "exp",
    summary: "Euler's number to the power of every element.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "Exp(input)"), tensorflow("Exp(input)")],
    define: |call| unary(call, |x| x.exp()),
    examples: &[
        "exp(f32[N,3]) -> f32[N,3]",
        "exp(f32[...]) -> f32[...]",
        "exp(f32[2]{0,1}) -> f32[2]{1,2.718281828459045}",
        "exp(i64[2]) fails: `input` is floating point",
    ],
};
