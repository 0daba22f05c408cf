//! The mean of each window; padding does not count.

use super::prelude::*;
use crate::shared::pooling;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "AveragePooling2D",
        summary: "The mean of each window; padding does not count.",
        inputs: &[tensor("inputs", FLOAT)],
        parameters: pooling::AVERAGE_PARAMETERS,
        outputs: &["output"],
        spellings: &[],
        define: |call| pooling::average(call, 2),
        examples: &[
            "AveragePooling2D(f32[N,8,8,3], pool_size=2) -> f32[N,4,4,3]",
            "AveragePooling2D(f32[N,3,8,8], data_format=channels_first, strides=1, padding=same, pool_size=2) -> f32[N,3,8,8]",
            "AveragePooling2D(f32[2,8,8], pool_size=2) fails: `inputs` has 4 axes: a batch, two of space, and channels",
            "AveragePooling2D(f32[2,8,8,3]) fails: `pool_size` is given",
            "AveragePooling2D(f32[2,8,8,3], pool_size=0) fails: `pool_size` has one positive number per axis of space",
            "AveragePooling2D(f32[2,8,8,3], strides=0, pool_size=2) fails: `strides` has one positive number per axis of space",
            "AveragePooling2D(f32[2,8,8,3], strides=4, pool_size=2) fails: `strides` are at most what the window spans",
            "AveragePooling2D(f32[2,8,8,3], pool_size=9) fails: the window fits the input",
            "AveragePooling2D(f32[2,8,8,0], pool_size=2) on torch fails: there is something to pool",
            "AveragePooling2D(f32[2,0,8,3], pool_size=2, padding=same) -> f32[2,0,4,3]",
            "AveragePooling2D(f32[2,8,8,3], padding=full, pool_size=2) fails: `padding` is one of valid, same",
            "AveragePooling2D(f32[2,8,8,3], data_format=last, pool_size=2) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};
