//! Limits how many boxes come with an image; the images as they are.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "MaxNumBoundingBoxes",
        summary: "Limits how many boxes come with an image; the images as they are.",
        inputs: IMAGES,
        parameters: &[int("max_number"), int("fill_value").or(-1), DATA_FORMAT],
        outputs: &["output"],
        spellings: &[],
        define: unchanged,
        examples: &[
            "MaxNumBoundingBoxes(f32[N,8,8,3], max_number=3) -> f32[N,8,8,3]",
            "MaxNumBoundingBoxes(f32[8,8], max_number=3) fails: `inputs` is an image of 3 axes, or a batch of them",
            "MaxNumBoundingBoxes(f32[8,8,3]) fails: `max_number` is given",
            "MaxNumBoundingBoxes(f32[8,8,3], max_number=3, data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};
