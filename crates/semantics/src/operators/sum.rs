//! Sum of several tensors.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "sum",
    summary: "Adds several tensors element by element; they broadcast.",
    inputs: &[tensor("tensors", FLOAT).like("tensors").variadic()],
    parameters: &[],
    outputs: &["output"],
    spellings: &[
        onnx(1, "Sum(tensors)").adapted(|call| variadic_alike(call, |a, b| a + b)),
        onnx(8, "Sum(tensors)"),
        tensorflow("AddN(tensors)").adapted(|call| variadic_alike(call, |a, b| a + b)),
        tensorflow("AccumulateNV2(tensors; !shape)").adapted(|call| variadic_alike(call, |a, b| a + b)),
    ],
    define: |call| variadic(call, |a, b| a + b),
    examples: &[
        "sum(f32[N,3], f32[3], f32[]) -> f32[N,3]",
        "sum(f32[N,3]) -> f32[N,3]",
        "sum(f32[...], f32[1]) -> f32[...]",
        "sum(f32[2]{1,2}, f32[2]{3,4}, f32[]{1}) -> f32[2]{5,7}",
        "sum(f32[2], f32[3]) fails: the tensors broadcast",
        "sum(f32[2], f64[2]) fails: `tensors` have one element type",
        "sum(i32[2], i32[2]) fails: `tensors` is floating point",
    ],
};
