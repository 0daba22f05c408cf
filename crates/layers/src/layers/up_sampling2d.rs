//! Repeats each element along the axes of space.

use super::prelude::*;
use crate::shared::padding;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "UpSampling2D",
        summary: "Repeats each element along the axes of space.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: padding::SIZE_2D,
        outputs: &["output"],
        spellings: &[],
        define: |call| padding::repeat(call, 2),
        examples: &[
            "UpSampling2D(f32[N,8,8,3]) -> f32[N,16,16,3]",
            "UpSampling2D(f32[N,8,8,3], interpolation=lanczos3) -> f32[N,16,16,3]",
            "UpSampling2D(f32[N,8,8,3], interpolation=lanczos3) on torch fails: PyTorch has the `interpolation`",
            "UpSampling2D(f32[2,8,8]) fails: `inputs` has 4 axes: a batch, two of space, and channels",
            "UpSampling2D(f32[2,8,8,3], size=0) fails: `size` has one positive number per axis of space",
            "UpSampling2D(f32[2,8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "UpSampling2D(f32[2,8,8,3], interpolation=cubic) fails: `interpolation` is one of bilinear, nearest, bicubic, lanczos3, lanczos5",
            "UpSampling2D(f32[1,1,2,1]{1,3}, size=[1,2], interpolation=bilinear) -> f32[1,1,4,1]{1,1.5,2.5,3}",
            "UpSampling2D(i32[2,3,3,4]) fails: `inputs` are floats, as a symbolic build supposes",
            "UpSampling2D(f32[2,8,0,3], interpolation=bilinear) fails: there is something to resize",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};
