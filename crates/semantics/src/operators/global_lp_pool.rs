//! The p-norm of each channel.

use super::global_average_pool::over_spatial_axes;
use super::lp_pool::{power, root};
use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "global_lp_pool",
    summary: "The p-norm of each channel over all spatial axes, which stay as size 1.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[int("p").or(2)],
    outputs: &["output"],
    spellings: &[onnx(2, "GlobalLpPool(input:nchw; p)")],
    define,
    examples: &[
        "global_lp_pool(f32[N,512,7,7]) -> f32[N,512,1,1]",
        "global_lp_pool(f32[1,2,2]{3,4,-5,12}) -> f32[1,2,1]{5,13}",
        "global_lp_pool(f32[1,1,2]{3,-4}, p=1) -> f32[1,1,1]{7}",
        "global_lp_pool(f32[2,3]) fails: `input` has a batch, a channel and at least one spatial axis",
        "global_lp_pool(f32[2,3,0]) fails: no axis of `input` but the batch is empty",
        "global_lp_pool(i32[2,3,4]) fails: `input` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let p = call.float("p")?;
    over_spatial_axes(call, |input, axes| {
        let powers = reduce_map(Fold::Sum, input, input.dtype(), axes, true, move |x| power(x, p));
        map(powers, input.dtype(), move |sum| root(sum, p))
    })
}
