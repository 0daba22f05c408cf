//! Largest element over axes.

use super::prelude::*;
use crate::reduction::{ORDERED, before_bool, extreme};

pub static OPERATOR: Operator = Operator {
    name: "reduce_max",
    summary: "The largest element along axes, or of all; of bools, whether any is true.",
    inputs: &[tensor("input", ORDERED)],
    parameters: &[
        ints("axes").optional(),
        flag("keepdims").or_flag(true),
        flag("noop_with_empty_axes").or_flag(false),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(1, "ReduceMax(input; axes, keepdims:one)").adapted(|call| before_bool(call, true)),
        onnx(18, "ReduceMax(input, axes; keepdims:one, noop_with_empty_axes:one)")
            .adapted(|call| before_bool(call, true)),
        onnx(20, "ReduceMax(input, axes; keepdims:one, noop_with_empty_axes:one)"),
        tensorflow("Max(input, axes:flat; keep_dims as keepdims=false, with noop_with_empty_axes=true)")
            .adapted(over_distinct_axes),
        tensorflow("Any(input, axes:flat; keep_dims as keepdims=false, with noop_with_empty_axes=true)")
            .adapted(over_distinct_axes),
    ],
    define: |call| reduction(call, extreme(true)),
    examples: &[
        "reduce_max(f32[N,3,5], axes=[1]) -> f32[N,1,5]",
        "reduce_max(f32[N,3,5], axes=[-1,0], keepdims=false) -> f32[3]",
        "reduce_max(i8[2,2]{-128,2,3,4}, axes=[1]) -> i8[2,1]{2,4}",
        "reduce_max(bool[2,2]{true,false,false,false}, axes=[1]) -> bool[2,1]{true,false}",
        "reduce_max(f32[1,0], axes=[1]) -> f32[1,1]{-inf}",
        "reduce_max(i32[0]) -> i32[1]{-2147483648}",
        "reduce_max(f32[...], axes=[1]) -> f32[...]",
        "reduce_max(f32[2,2], noop_with_empty_axes=true) -> f32[2,2]",
        "reduce_max(f32[2,3], axes=[2]) fails: `axes` are within the rank",
        "reduce_max(f32[2,3], axes=[0,-2]) fails: `axes` name each axis once",
        "reduce_max(i16[2]) fails: `input` is bool or a number type other than 16-bit integers",
    ],
};
