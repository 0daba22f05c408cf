//! Where the smallest element along an axis is.

use super::arg_max::position_of;
use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "arg_min",
    summary: "The position of the smallest element along an axis; of equal ones the first, or the last.",
    inputs: &[tensor("input", NUMERIC)],
    parameters: &[
        int("axis").or(0),
        flag("keepdims").or_flag(true),
        flag("select_last_index").or_flag(false),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(1, "ArgMin(input; axis, keepdims:one)"),
        onnx(12, "ArgMin(input; axis, keepdims:one, select_last_index)"),
        tensorflow("ArgMin(input, axis:scalar; output_type=i64 as result, with keepdims=false)"),
    ],
    define: |call| position_of(call, Fold::Min),
    examples: &[
        "arg_min(f32[N,10], axis=1, keepdims=false) -> i64[N]",
        "arg_min(i32[2,2]{2,1,3,10}, axis=1) -> i64[2,1]{1,0}",
        "arg_min(f32[2,2]{2,2,3,10}, axis=1, select_last_index=true) -> i64[2,1]{1,0}",
        "arg_min(f32[0]) fails: the axis is not empty",
        "arg_min(f32[2], axis=1) fails: `axis` is within the rank",
        "arg_min(bool[2]) fails: `input` is a real number type",
    ],
};
