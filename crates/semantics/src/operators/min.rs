//! Smallest of several tensors.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "min",
    summary: "The smallest element of several tensors, which broadcast; one that is not a number wins.",
    inputs: &[tensor("tensors", NUMERIC).like("tensors").variadic()],
    parameters: &[],
    outputs: &["output"],
    spellings: &[
        onnx(1, "Min(tensors)").adapted(|call| variadic_alike(call, |a, b| a.min(b))),
        onnx(8, "Min(tensors)"),
        tensorflow("Minimum(tensors)"),
    ],
    define: |call| variadic(call, |a, b| a.min(b)),
    examples: &[
        "min(f32[N,3], f32[3], f32[]) -> f32[N,3]",
        "min(f32[N,3]) -> f32[N,3]",
        "min(f32[...], f32[1]) -> f32[...]",
        "min(i8[3]{1,2,3}, i8[2,1]{4,1}, i8[]{2}) -> i8[2,3]{1,2,2,1,1,1}",
        "min(f32[2], f32[3]) fails: the tensors broadcast",
        "min(f32[2], f64[2]) fails: `tensors` have one element type",
        "min(bool[2], bool[2]) fails: `tensors` is a real number type",
    ],
};
