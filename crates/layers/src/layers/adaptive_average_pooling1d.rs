//! The mean of each of so many windows of nearly one size.

use super::prelude::*;
use crate::shared::pooling;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "AdaptiveAveragePooling1D",
        summary: "The mean of each of so many windows of nearly one size.",
        inputs: &[tensor("inputs", FLOAT)],
        parameters: pooling::ADAPTIVE_PARAMETERS,
        outputs: &["output"],
        spellings: &[],
        define: |call| pooling::adaptive(call, 1, Fold::Sum),
        examples: &[
            "AdaptiveAveragePooling1D(f32[N,8,2], output_size=3) -> f32[N,3,2]",
            "AdaptiveAveragePooling1D(f32[N,2,8], output_size=[3], data_format=channels_first) -> f32[N,2,3]",
            "AdaptiveAveragePooling1D(f32[2,2], output_size=3) fails: `inputs` has 3 axes: a batch, one of space, and channels",
            "AdaptiveAveragePooling1D(f32[2,8,2], output_size=0) fails: `output_size` has one positive number per axis of space",
            "AdaptiveAveragePooling1D(f32[2,8,2]) fails: `output_size` is given",
            "AdaptiveAveragePooling1D(f32[2,0,2], output_size=3) fails: there is something to pool",
            "AdaptiveAveragePooling1D(f32[2,0,3], output_size=1) on torch -> f32[2,1,3]",
            "AdaptiveAveragePooling1D(f32[2,8,2], output_size=3, data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "AdaptiveAveragePooling1D(f32[1,5,1]{1,2,3,4,8}, output_size=2) -> f32[1,2,1]{2,5}",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};
