//! Repeats each element along the axes of space.

use super::prelude::*;
use crate::shared::padding;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "UpSampling1D",
        summary: "Repeats each element along the axes of space.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: padding::SIZE_1D,
        outputs: &["output"],
        spellings: &[],
        define: |call| padding::repeat(call, 1),
        examples: &[
            "UpSampling1D(f32[N,8,3]) -> f32[N,16,3]",
            "UpSampling1D(f32[2,8]) fails: `inputs` has 3 axes: a batch, one of space, and channels",
            "UpSampling1D(f32[2,8,3], size=0) fails: `size` has one positive number per axis of space",
            "UpSampling1D(f32[1,2,1]{1,2}) -> f32[1,4,1]{1,1,2,2}",
            "UpSampling1D(i32[2,3,4]) fails: `inputs` are floats, as a symbolic build supposes",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};
