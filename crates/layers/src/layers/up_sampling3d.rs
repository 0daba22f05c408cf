//! Repeats each element along the axes of space.

use super::prelude::*;
use crate::shared::padding;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "UpSampling3D",
        summary: "Repeats each element along the axes of space.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: padding::SIZE_3D,
        outputs: &["output"],
        spellings: &[],
        define: |call| padding::repeat(call, 3),
        examples: &[
            "UpSampling3D(f32[N,8,8,8,3]) -> f32[N,16,16,16,3]",
            "UpSampling3D(f32[2,8,8,8]) fails: `inputs` has 5 axes: a batch, three of space, and channels",
            "UpSampling3D(f32[2,8,8,8,3], size=0) fails: `size` has one positive number per axis of space",
            "UpSampling3D(f32[2,8,8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "UpSampling3D(i32[2,3,3,3,4]) fails: `inputs` are floats, as a symbolic build supposes",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};
