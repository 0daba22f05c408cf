//! Sum over axes.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "reduce_sum",
    summary: "Adds up the elements along axes, or all of them.",
    inputs: &[tensor("input", WIDE)],
    parameters: &[
        ints("axes").optional(),
        flag("keepdims").or_flag(true),
        flag("noop_with_empty_axes").or_flag(false),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(1, "ReduceSum(input; axes, keepdims:one)"),
        onnx(13, "ReduceSum(input, axes; keepdims:one, noop_with_empty_axes:one)"),
        tensorflow("Sum(input, axes:flat; keep_dims as keepdims=false, with noop_with_empty_axes=true)")
            .adapted(over_distinct_axes),
    ],
    define: |call| reduction(call, |input, axes, keep| reduce(Fold::Sum, input, axes, keep)),
    examples: &[
        "reduce_sum(f32[N,3,5], axes=[1]) -> f32[N,1,5]",
        "reduce_sum(f32[N,3,5], axes=[-1], keepdims=false) -> f32[N,3]",
        "reduce_sum(i32[2,2]{1,2,3,4}) -> i32[1,1]{10}",
        "reduce_sum(f32[2,2], noop_with_empty_axes=true) -> f32[2,2]",
        "reduce_sum(f32[2,0], axes=[1]) -> f32[2,1]{0,0}",
        "reduce_sum(f32[...], axes=[1,-1]) -> f32[...]",
        "reduce_sum(f32[...], axes=[0,1], keepdims=false) -> f32[...]",
        "reduce_sum(f32[...], axes=[-1,-1]) fails: `axes` name each axis once",
        "reduce_sum(f32[], axes=[0]) fails: `axes` are within the rank",
        "reduce_sum(f32[2,3], axes=[2]) fails: `axes` are within the rank",
        "reduce_sum(f32[2,3], axes=[0,-2]) fails: `axes` name each axis once",
        "reduce_sum(bool[2]) fails: `input` is a number type of at least 32 bits or half precision",
    ],
};
