//! Adds zeros at both ends of each axis of space.

use super::prelude::*;
use crate::shared::padding;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "ZeroPadding3D",
        summary: "Adds zeros at both ends of each axis of space.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: padding::PADDING,
        outputs: &["output"],
        spellings: &[],
        define: |call| padding::pad(call, 3),
        examples: &[
            "ZeroPadding3D(f32[N,8,8,8,3]) -> f32[N,10,10,10,3]",
            "ZeroPadding3D(f32[2,2,4,3,4], padding=-1) on torch -> f32[2,0,2,1,4]",
            "ZeroPadding3D(f32[2,2,1,3,4], padding=-1) on torch fails: padding takes away no more than there is",
            "ZeroPadding3D(f32[2,8,8,8]) fails: `inputs` has 5 axes: a batch, three of space, and channels",
            "ZeroPadding3D(f32[2,8,8,8,3], padding=-1) fails: `padding` has two numbers per axis of space, none negative",
            "ZeroPadding3D(f32[2,8,8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "ZeroPadding3D(i32[2,3,3,3,4]) fails: `inputs` are floats, as a symbolic build supposes",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};
