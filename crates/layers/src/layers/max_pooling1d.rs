//! The largest element of each window.

use super::prelude::*;
use crate::shared::pooling;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "MaxPooling1D",
        summary: "The largest element of each window.",
        inputs: &[tensor("inputs", NUMERIC)],
        parameters: pooling::PARAMETERS,
        outputs: &["output"],
        spellings: &[],
        define: |call| {
            let taken = call.backend == Backend::TensorFlow;
            require_floats_unless(call, "`inputs` is floating point", taken)?;
            pooling::max(call, 1)
        },
        examples: &[
            "MaxPooling1D(f32[N,8,3]) -> f32[N,4,3]",
            "MaxPooling1D(f32[N,3,8], data_format=channels_first, strides=1, padding=same) -> f32[N,3,8]",
            "MaxPooling1D(f32[2,8]) fails: `inputs` has 3 axes: a batch, one of space, and channels",
            "MaxPooling1D(f32[2,8,3], pool_size=0) fails: `pool_size` has one positive number per axis of space",
            "MaxPooling1D(f32[2,8,3], strides=0) fails: `strides` has one positive number per axis of space",
            "MaxPooling1D(f32[2,8,3], strides=4) fails: `strides` are at most what the window spans",
            "MaxPooling1D(f32[2,8,3], pool_size=9) fails: the window fits the input",
            "MaxPooling1D(f32[2,8,0], pool_size=2) on torch fails: there is something to pool",
            "MaxPooling1D(f32[2,0,3], pool_size=2, padding=same) -> f32[2,0,3]",
            "MaxPooling1D(f32[2,8,3], padding=full) fails: `padding` is one of valid, same",
            "MaxPooling1D(f32[2,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "MaxPooling1D(f32[1,3,1]{1,4,2}, padding=same) -> f32[1,2,1]{4,2}",
            "MaxPooling1D(i32[1,2,1]{1,2}) -> i32[1,1,1]{2}",
            "MaxPooling1D(i32[2,8,3]) on torch fails: `inputs` is floating point",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};
