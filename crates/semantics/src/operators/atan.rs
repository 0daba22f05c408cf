//! Inverse tangent.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "atan",
    summary: "The angle in [-pi/2, pi/2] whose tangent every element is.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(7, "Atan(input)"), tensorflow("Atan(input)")],
    define: |call| unary(call, |x| x.atan()),
    examples: &[
        "atan(f32[N,3]) -> f32[N,3]",
        "atan(f32[...]) -> f32[...]",
        "atan(f32[2]{0,1}) -> f32[2]{0,0.7853981633974483}",
        "atan(i64[2]) fails: `input` is floating point",
    ],
};
