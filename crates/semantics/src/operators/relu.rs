//! Rectified linear unit.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "relu",
    summary: "Every element, or zero where it is negative.",
    inputs: &[tensor("input", SIGNED)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "Relu(input)"), tensorflow("Relu(input)")],
    define: |call| unary(call, |x| x.max(0.0)),
    examples: &[
        "relu(f32[N,3]) -> f32[N,3]",
        "relu(f32[...]) -> f32[...]",
        "relu(f32[3]{-1,0,2}) -> f32[3]{0,0,2}",
        "relu(i8[2]{-1,3}) -> i8[2]{0,3}",
        "relu(u8[2]) fails: `input` is a signed number type",
    ],
};
