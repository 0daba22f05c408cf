//! Adds zeros at both ends of each axis of space.

use super::prelude::*;
use crate::shared::padding;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "ZeroPadding1D",
        summary: "Adds zeros at both ends of each axis of space.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: padding::PADDING_1D,
        outputs: &["output"],
        spellings: &[],
        define: |call| padding::pad(call, 1),
        examples: &[
            "ZeroPadding1D(f32[N,8,3]) -> f32[N,10,3]",
            "ZeroPadding1D(f32[2,8]) fails: `inputs` has 3 axes: a batch, one of space, and channels",
            "ZeroPadding1D(f32[2,8,3], padding=-1) fails: `padding` has two numbers per axis of space, none negative",
            "ZeroPadding1D(f32[2,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "ZeroPadding1D(f32[1,2,1]{1,2}, padding=[0,1]) -> f32[1,3,1]{1,2,0}",
            "ZeroPadding1D(i32[2,3,4]) fails: `inputs` are floats, as a symbolic build supposes",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};
