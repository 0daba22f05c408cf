//! Adds zeros at both ends of each axis of space.

use super::prelude::*;
use crate::shared::padding;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "ZeroPadding2D",
        summary: "Adds zeros at both ends of each axis of space.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: padding::PADDING,
        outputs: &["output"],
        spellings: &[],
        define: |call| padding::pad(call, 2),
        examples: &[
            "ZeroPadding2D(f32[N,8,8,3]) -> f32[N,10,10,3]",
            "ZeroPadding2D(f32[1,4,4,3], padding=-1) on torch -> f32[1,2,2,3]",
            "ZeroPadding2D(f32[1,4,1,3], padding=-1) on torch fails: padding takes away no more than there is",
            "ZeroPadding2D(f32[2,8,8]) fails: `inputs` has 4 axes: a batch, two of space, and channels",
            "ZeroPadding2D(f32[2,8,8,3], padding=-1) fails: `padding` has two numbers per axis of space, none negative",
            "ZeroPadding2D(f32[2,8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "ZeroPadding2D(i32[2,3,3,4]) fails: `inputs` are floats, as a symbolic build supposes",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};
