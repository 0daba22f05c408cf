//! The number of elements.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "size",
    summary: "The number of elements of a tensor, as a scalar.",
    inputs: &[tensor("input", ANY)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "Size(input)"), tensorflow("Size(input; out_type=i32 as result)")],
    define: |call| one(Tensor::of_dim(Kind::I64, call.tensor("input")?.shape().count())),
    examples: &[
        "size(f32[2,3]) -> i64[]{6}",
        "size(f32[]) -> i64[]{1}",
        "size(f32[0,3]) -> i64[]{0}",
        "size(f32[...]) -> i64[]",
    ],
};
