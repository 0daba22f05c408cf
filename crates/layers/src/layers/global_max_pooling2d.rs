//! The largest element of each channel.

use super::prelude::*;
use crate::shared::pooling;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "GlobalMaxPooling2D",
        summary: "The largest element of each channel.",
        inputs: &[tensor("inputs", NUMERIC)],
        parameters: pooling::GLOBAL_PARAMETERS,
        outputs: &["output"],
        spellings: &[],
        define: |call| pooling::global(call, 2, Fold::Max),
        examples: &[
            "GlobalMaxPooling2D(f32[N,8,8,3]) -> f32[N,3]",
            "GlobalMaxPooling2D(f32[N,3,8,8], data_format=channels_first, keepdims=true) -> f32[N,3,1,1]",
            "GlobalMaxPooling2D(f32[2,8,8]) fails: `inputs` has 4 axes: a batch, two of space, and channels",
            "GlobalMaxPooling2D(f32[2,0,8,3]) fails: there is something to pool",
            "GlobalMaxPooling2D(f32[0,8,8,3]) fails: there is something to pool",
            "GlobalMaxPooling2D(f32[2,8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "GlobalMaxPooling2D(i32[2,3,3,4]) fails: `inputs` are floats, as a symbolic build supposes",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};
