//! The mean of each channel.

use super::prelude::*;
use crate::shared::pooling;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "GlobalAveragePooling3D",
        summary: "The mean of each channel.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: pooling::GLOBAL_PARAMETERS,
        outputs: &["output"],
        spellings: &[],
        define: |call| pooling::global(call, 3, Fold::Sum),
        examples: &[
            "GlobalAveragePooling3D(f32[N,8,8,8,3]) -> f32[N,3]",
            "GlobalAveragePooling3D(f32[N,3,8,8,8], data_format=channels_first, keepdims=true) -> f32[N,3,1,1,1]",
            "GlobalAveragePooling3D(f32[2,8,8,8]) fails: `inputs` has 5 axes: a batch, three of space, and channels",
            "GlobalAveragePooling3D(f32[2,0,8,8,3]) fails: there is something to pool",
            "GlobalAveragePooling3D(f32[2,8,8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "GlobalAveragePooling3D(i32[N,2,2,2,3]) -> f32[N,3]",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};
