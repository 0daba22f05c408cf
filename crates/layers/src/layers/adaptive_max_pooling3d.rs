//! The largest element of each of so many windows of nearly one size.

use super::prelude::*;
use crate::shared::pooling;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "AdaptiveMaxPooling3D",
        summary: "The largest element of each of so many windows of nearly one size.",
        inputs: &[tensor("inputs", FLOAT)],
        parameters: pooling::ADAPTIVE_PARAMETERS,
        outputs: &["output"],
        spellings: &[],
        define: |call| pooling::adaptive(call, 3, Fold::Max),
        examples: &[
            "AdaptiveMaxPooling3D(f32[N,8,8,8,2], output_size=3) -> f32[N,3,3,3,2]",
            "AdaptiveMaxPooling3D(f32[N,2,8,8,8], output_size=[3,3,3], data_format=channels_first) -> f32[N,2,3,3,3]",
            "AdaptiveMaxPooling3D(f32[2,2], output_size=3) fails: `inputs` has 5 axes: a batch, three of space, and channels",
            "AdaptiveMaxPooling3D(f32[2,8,8,8,2], output_size=0) fails: `output_size` has one positive number per axis of space",
            "AdaptiveMaxPooling3D(f32[2,8,8,8,2]) fails: `output_size` is given",
            "AdaptiveMaxPooling3D(f32[2,0,0,0,2], output_size=3) fails: there is something to pool",
            "AdaptiveMaxPooling3D(f32[2,8,8,8,0], output_size=2) on torch fails: there is something to pool",
            "AdaptiveMaxPooling3D(f32[2,8,8,8,2], output_size=3, data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};
