//! Cuts elements off both ends of each axis of space.

use super::prelude::*;
use crate::shared::padding;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Cropping1D",
        summary: "Cuts elements off both ends of each axis of space.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: padding::CROPPING_1D,
        outputs: &["output"],
        spellings: &[],
        define: |call| padding::crop(call, 1),
        examples: &[
            "Cropping1D(f32[N,8,3]) -> f32[N,6,3]",
            "Cropping1D(f32[2,8]) fails: `inputs` has 3 axes: a batch, one of space, and channels",
            "Cropping1D(f32[2,8,3], cropping=4) fails: cropping leaves something",
            "Cropping1D(f32[2,8,3], cropping=-1) fails: `cropping` has two numbers per axis of space, none negative",
            "Cropping1D(f32[1,4,1]{1,2,3,4}, cropping=[1,2]) -> f32[1,1,1]{2}",
            "Cropping1D(i32[2,3,4]) fails: `inputs` are floats, as a symbolic build supposes",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};
