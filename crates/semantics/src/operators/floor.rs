//! Rounding down.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "floor",
    summary: "The largest integer that is not above the element.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "Floor(input)"), tensorflow("Floor(input)")],
    define: |call| unary(call, |x| x.floor()),
    examples: &[
        "floor(f32[N,3]) -> f32[N,3]",
        "floor(f32[...]) -> f32[...]",
        "floor(f32[3]{-1.5,1.2,2}) -> f32[3]{-2,1,2}",
        "floor(i64[2]) fails: `input` is floating point",
    ],
};
