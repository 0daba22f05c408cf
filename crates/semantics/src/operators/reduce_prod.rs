//! Product over axes.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "reduce_prod",
    summary: "Multiplies the elements along axes, or all of them.",
    inputs: &[tensor("input", WIDE)],
    parameters: &[
        ints("axes").optional(),
        flag("keepdims").or_flag(true),
        flag("noop_with_empty_axes").or_flag(false),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(1, "ReduceProd(input; axes, keepdims:one)"),
        onnx(18, "ReduceProd(input, axes; keepdims:one, noop_with_empty_axes:one)"),
        tensorflow("Prod(input, axes:flat; keep_dims as keepdims=false, with noop_with_empty_axes=true)")
            .adapted(over_distinct_axes),
    ],
    define: |call| reduction(call, |input, axes, keep| reduce(Fold::Product, input, axes, keep)),
    examples: &[
        "reduce_prod(f32[N,3,5], axes=[1]) -> f32[N,1,5]",
        "reduce_prod(i32[2,2]{1,2,3,4}, axes=[-1], keepdims=false) -> i32[2]{2,12}",
        "reduce_prod(f32[2,0], axes=[1]) -> f32[2,1]{1,1}",
        "reduce_prod(f32[...], keepdims=false) -> f32[]",
        "reduce_prod(f32[2,2], noop_with_empty_axes=true) -> f32[2,2]",
        "reduce_prod(f32[2,3], axes=[2]) fails: `axes` are within the rank",
        "reduce_prod(f32[2,3], axes=[0,-2]) fails: `axes` name each axis once",
        "reduce_prod(bool[2]) fails: `input` is a number type of at least 32 bits or half precision",
    ],
};
