//! Sine.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "sin",
    summary: "The sine of every element, an angle in radians.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(7, "Sin(input)"), tensorflow("Sin(input)")],
    define: |call| unary(call, |x| x.sin()),
    examples: &[
        "sin(f32[N,3]) -> f32[N,3]",
        "sin(f32[...]) -> f32[...]",
        "sin(f32[2]{0,1}) -> f32[2]{0,0.8414709848078965}",
        "sin(i64[2]) fails: `input` is floating point",
    ],
};
