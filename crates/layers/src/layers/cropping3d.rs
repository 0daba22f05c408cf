//! Cuts elements off both ends of each axis of space.

use super::prelude::*;
use crate::shared::padding;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Cropping3D",
        summary: "Cuts elements off both ends of each axis of space.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: padding::CROPPING_3D,
        outputs: &["output"],
        spellings: &[],
        define: |call| padding::crop(call, 3),
        examples: &[
            "Cropping3D(f32[N,8,8,8,3]) -> f32[N,6,6,6,3]",
            "Cropping3D(f32[2,8,8,8]) fails: `inputs` has 5 axes: a batch, three of space, and channels",
            "Cropping3D(f32[2,8,8,8,3], cropping=4) fails: cropping leaves something",
            "Cropping3D(f32[2,8,8,8,3], cropping=-1) fails: `cropping` has two numbers per axis of space, none negative",
            "Cropping3D(f32[2,8,8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "Cropping3D(i32[2,3,3,3,4]) fails: `inputs` are floats, as a symbolic build supposes",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};
