//! The largest element of each channel.

use super::global_average_pool::over_spatial_axes;
use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "global_max_pool",
    summary: "The largest element of each channel over all spatial axes, which stay as size 1.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "GlobalMaxPool(input:nchw)")],
    define: |call| over_spatial_axes(call, |input, axes| reduce(Fold::Max, input, axes, true)),
    examples: &[
        "global_max_pool(f32[N,512,7,7]) -> f32[N,512,1,1]",
        "global_max_pool(f32[1,2,2]{1,2,5,3}) -> f32[1,2,1]{2,5}",
        "global_max_pool(f32[2,3]) fails: `input` has a batch, a channel and at least one spatial axis",
        "global_max_pool(f32[2,3,0]) fails: no axis of `input` but the batch is empty",
        "global_max_pool(i32[2,3,4]) fails: `input` is floating point",
    ],
};
