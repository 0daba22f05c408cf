//! Smallest element over axes.

use super::prelude::*;
use crate::reduction::{ORDERED, before_bool, extreme};

pub static OPERATOR: Operator = Operator {
    name: "reduce_min",
    summary: "The smallest element along axes, or of all; of bools, whether all are true.",
    inputs: &[tensor("input", ORDERED)],
    parameters: &[
        ints("axes").optional(),
        flag("keepdims").or_flag(true),
        flag("noop_with_empty_axes").or_flag(false),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(1, "ReduceMin(input; axes, keepdims:one)").adapted(|call| before_bool(call, false)),
        onnx(18, "ReduceMin(input, axes; keepdims:one, noop_with_empty_axes:one)")
            .adapted(|call| before_bool(call, false)),
        onnx(20, "ReduceMin(input, axes; keepdims:one, noop_with_empty_axes:one)"),
        tensorflow("Min(input, axes:flat; keep_dims as keepdims=false, with noop_with_empty_axes=true)")
            .adapted(over_distinct_axes),
        tensorflow("All(input, axes:flat; keep_dims as keepdims=false, with noop_with_empty_axes=true)")
            .adapted(over_distinct_axes),
    ],
    define: |call| reduction(call, extreme(false)),
    examples: &[
        "reduce_min(f32[N,3,5], axes=[1]) -> f32[N,1,5]",
        "reduce_min(f32[N,3,5], axes=[-1,0], keepdims=false) -> f32[3]",
        "reduce_min(i8[2,2]{-128,2,3,4}, axes=[1]) -> i8[2,1]{-128,3}",
        "reduce_min(bool[2,2]{true,false,true,true}, axes=[1]) -> bool[2,1]{false,true}",
        "reduce_min(f32[1,0], axes=[1]) -> f32[1,1]{inf}",
        "reduce_min(i32[0]) -> i32[1]{2147483647}",
        "reduce_min(f32[...], axes=[1]) -> f32[...]",
        "reduce_min(f32[2,2], noop_with_empty_axes=true) -> f32[2,2]",
        "reduce_min(f32[2,3], axes=[2]) fails: `axes` are within the rank",
        "reduce_min(f32[2,3], axes=[0,-2]) fails: `axes` name each axis once",
        "reduce_min(i16[2]) fails: `input` is bool or a number type other than 16-bit integers",
    ],
};
