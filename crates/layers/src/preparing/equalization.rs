//! Spreads the values of images evenly while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Equalization",
        summary: "Spreads the values of images evenly while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[VALUE_RANGE, int("bins").or(256), DATA_FORMAT],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Equalization(f32[N,8,8,3]) -> f32[N,8,8,3]",
            "Equalization(i32[N,8,8,3]) -> i32[N,8,8,3]",
            "Equalization(f32[8,8]) fails: `inputs` is an image of 3 axes, or a batch of them",
            "Equalization(f32[8,8,3], value_range=[1]) fails: `value_range` is two numbers",
            "Equalization(f32[8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    require_value_range(call)?;
    unchanged(call)
}
