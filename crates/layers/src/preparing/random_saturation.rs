//! Changes the saturation at random while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RandomSaturation",
        summary: "Changes the saturation at random while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[floats("factor"), VALUE_RANGE, DATA_FORMAT],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "RandomSaturation(f32[N,8,8,3], factor=0.5) -> f32[N,8,8,3]",
            "RandomSaturation(i32[N,8,8,3], factor=0.5) -> i32[N,8,8,3]",
            "RandomSaturation(f32[8,8], factor=0.5) fails: `inputs` is an image of 3 axes, or a batch of them",
            "RandomSaturation(f32[8,8,3], factor=2) fails: `factor` is a number from -1 to 1, or two that reach into it",
            "RandomSaturation(f32[8,8,3]) fails: `factor` is given",
            "RandomSaturation(f32[8,8,3], factor=0.5, value_range=[1]) fails: `value_range` is two numbers",
            "RandomSaturation(f32[8,8,3], factor=0.5, data_format=last) fails: `data_format` is one of channels_last, channels_first",
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
