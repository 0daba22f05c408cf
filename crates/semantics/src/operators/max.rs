//! Largest of several tensors.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "max",
    summary: "The largest element of several tensors, which broadcast; one that is not a number wins.",
    inputs: &[tensor("tensors", NUMERIC).like("tensors").variadic()],
    parameters: &[],
    outputs: &["output"],
    spellings: &[
        onnx(1, "Max(tensors)").adapted(|call| variadic_alike(call, |a, b| a.max(b))),
        onnx(8, "Max(tensors)"),
        tensorflow("Maximum(tensors)"),
    ],
    define: |call| variadic(call, |a, b| a.max(b)),
    examples: &[
        "max(f32[N,3], f32[3], f32[]) -> f32[N,3]",
        "max(f32[N,3]) -> f32[N,3]",
        "max(f32[...], f32[1]) -> f32[...]",
        "max(i8[3]{1,2,3}, i8[2,1]{4,1}, i8[]{2}) -> i8[2,3]{4,4,4,2,2,3}",
        "max(f32[2]{nan,1}, f32[2]{1,2}) -> f32[2]{nan,2}",
        "max(f32[2], f32[3]) fails: the tensors broadcast",
        "max(f32[2], f64[2]) fails: `tensors` have one element type",
        "max(bool[2], bool[2]) fails: `tensors` is a real number type",
    ],
};
