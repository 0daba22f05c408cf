//! Brightens or darkens images at random while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RandomBrightness",
        summary: "Brightens or darkens images at random while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[floats("factor").optional(), VALUE_RANGE, DATA_FORMAT],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "RandomBrightness(f32[N,8,8,3], factor=0.1) -> f32[N,8,8,3]",
            "RandomBrightness(i32[N,8,8,3], factor=0.1) -> i32[N,8,8,3]",
            "RandomBrightness(f32[8,8], factor=0.1) fails: `inputs` is an image of 3 axes, or a batch of them",
            "RandomBrightness(f32[8,8,3], factor=2) fails: `factor` is a number from -1 to 1, or two that reach into it",
            "RandomBrightness(f32[8,8,3], factor=0.1, value_range=[1]) fails: `value_range` is two numbers",
            "RandomBrightness(f32[8,8,3], factor=0.1, data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "RandomBrightness(f32[8,8,3]) -> f32[8,8,3]",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    require_factor(
        call,
        "factor",
        "`factor` is a number from -1 to 1, or two that reach into it",
        -1.0,
        1.0,
    )?;
    require_value_range(call)?;
    unchanged(call)
}
