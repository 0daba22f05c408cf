//! Logistic function.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "sigmoid",
    summary: "1 / (1 + exp(-x)): squeezes every element into (0, 1).",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "Sigmoid(input)"), tensorflow("Sigmoid(input)")],
    define: |call| unary(call, sigmoid),
    examples: &[
        "sigmoid(f32[N,3]) -> f32[N,3]",
        "sigmoid(f32[...]) -> f32[...]",
        "sigmoid(f32[2]{0,2}) -> f32[2]{0.5,0.8807970779778823}",
        "sigmoid(f32[2]{-1000,1000}) -> f32[2]{0,1}",
        "sigmoid(i64[2]) fails: `input` is floating point",
    ],
};

pub fn sigmoid(x: Element) -> Element {
    x.sigmoid()
}
