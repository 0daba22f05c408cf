//! The largest element of each window.

use super::prelude::*;
use crate::shared::pooling;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "MaxPooling2D",
        summary: "The largest element of each window.",
        inputs: &[tensor("inputs", NUMERIC)],
        parameters: pooling::PARAMETERS,
        outputs: &["output"],
        spellings: &[],
        define: |call| pooling::max(call, 2),
        examples: &[
            "MaxPooling2D(f32[N,8,8,3]) -> f32[N,4,4,3]",
            "MaxPooling2D(f32[N,3,8,8], data_format=channels_first, strides=1, padding=same) -> f32[N,3,8,8]",
            "MaxPooling2D(f32[2,8,8]) fails: `inputs` has 4 axes: a batch, two of space, and channels",
            "MaxPooling2D(f32[2,8,8,3], pool_size=0) fails: `pool_size` has one positive number per axis of space",
            "MaxPooling2D(f32[2,8,8,3], strides=0) fails: `strides` has one positive number per axis of space",
            "MaxPooling2D(f32[2,8,8,3], strides=4) fails: `strides` are at most what the window spans",
            "MaxPooling2D(f32[2,8,8,3], pool_size=9) fails: the window fits the input",
            "MaxPooling2D(f32[2,8,8,0], pool_size=2) on torch fails: there is something to pool",
            "MaxPooling2D(f32[2,0,8,3], pool_size=2, padding=same) -> f32[2,0,4,3]",
            "MaxPooling2D(f32[2,8,8,3], padding=full) fails: `padding` is one of valid, same",
            "MaxPooling2D(f32[2,8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "MaxPooling2D(i32[1,2,2,1]{1,2,4,3}) -> i32[1,1,1,1]{4}",
            "MaxPooling2D(i32[1,1,1,1]{-4}, padding=same) -> i32[1,1,1,1]{-4}",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};
