//! The mean of each channel.

use super::prelude::*;
use crate::normalization::mean;
use crate::pooling::require_no_empty_axis;
use crate::window::require_spatial;

pub static OPERATOR: Operator = Operator {
    name: "global_average_pool",
    summary: "The mean of each channel over all spatial axes, which stay as size 1.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "GlobalAveragePool(input:nchw)")],
    define: |call| over_spatial_axes(call, mean),
    examples: &[
        "global_average_pool(f32[N,512,7,7]) -> f32[N,512,1,1]",
        "global_average_pool(f32[1,2,2]{1,2,3,5}) -> f32[1,2,1]{1.5,4}",
        "global_average_pool(f32[...]) -> f32[...]",
        "global_average_pool(f32[0,3,H,W]) -> f32[0,3,1,1]",
        "global_average_pool(f32[2,3]) fails: `input` has a batch, a channel and at least one spatial axis",
        "global_average_pool(f32[2,3,0]) fails: no axis of `input` but the batch is empty",
        "global_average_pool(i32[2,3,4]) fails: `input` is floating point",
    ],
};

/// Folds every axis after the channels; they stay as size 1.
pub fn over_spatial_axes(call: &mut Call, fold: impl FnOnce(Tensor, &[usize]) -> Tensor) -> Outcome {
    let input = call.tensor("input")?;
    require_spatial(call, input.shape().rank())?;
    let Some(sizes) = input.shape().sizes() else {
        return call.shapeless(input.dtype(), "the rank of `input` is not known");
    };
    require_no_empty_axis(call, &sizes);
    let axes: Vec<usize> = (2..sizes.len()).collect();
    one(fold(input, &axes))
}
