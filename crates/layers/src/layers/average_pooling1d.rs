//! The mean of each window; padding does not count.

use super::prelude::*;
use crate::shared::pooling;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "AveragePooling1D",
        summary: "The mean of each window; padding does not count.",
        inputs: &[tensor("inputs", FLOAT)],
        parameters: pooling::AVERAGE_PARAMETERS,
        outputs: &["output"],
        spellings: &[],
        define: |call| pooling::average(call, 1),
        examples: &[
            "AveragePooling1D(f32[N,8,3], pool_size=2) -> f32[N,4,3]",
            "AveragePooling1D(f32[N,3,8], data_format=channels_first, strides=1, padding=same, pool_size=2) -> f32[N,3,8]",
            "AveragePooling1D(f32[2,8], pool_size=2) fails: `inputs` has 3 axes: a batch, one of space, and channels",
            "AveragePooling1D(f32[2,8,3]) fails: `pool_size` is given",
            "AveragePooling1D(f32[2,8,3], pool_size=0) fails: `pool_size` has one positive number per axis of space",
            "AveragePooling1D(f32[2,8,3], strides=0, pool_size=2) fails: `strides` has one positive number per axis of space",
            "AveragePooling1D(f32[2,8,3], strides=4, pool_size=2) fails: `strides` are at most what the window spans",
            "AveragePooling1D(f32[2,8,3], pool_size=9) fails: the window fits the input",
            "AveragePooling1D(f32[2,8,0], pool_size=2) on torch fails: there is something to pool",
            "AveragePooling1D(f32[2,0,3], pool_size=2, padding=same) -> f32[2,0,3]",
            "AveragePooling1D(f32[2,8,3], padding=full, pool_size=2) fails: `padding` is one of valid, same",
            "AveragePooling1D(f32[2,8,3], data_format=last, pool_size=2) fails: `data_format` is one of channels_last, channels_first",
            "AveragePooling1D(f32[1,3,1]{1,4,2}, padding=same, pool_size=2) -> f32[1,2,1]{2.5,2}",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};
