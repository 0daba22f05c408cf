//! Flips images at random while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RandomFlip",
        summary: "Flips images at random while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[text("mode").optional(), DATA_FORMAT],
        outputs: &["output"],
        spellings: &[],
        define: as_floats,
        examples: &[
            "RandomFlip(f32[N,8,8,3]) -> f32[N,8,8,3]",
            "RandomFlip(i32[N,8,8,3]) -> f32[N,8,8,3]",
            "RandomFlip(f32[8,8]) fails: `inputs` is an image of 3 axes, or a batch of them",
            "RandomFlip(f32[8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};
