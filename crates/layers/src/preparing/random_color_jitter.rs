//! Changes brightness, contrast, saturation and hue at random while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RandomColorJitter",
        summary: "Changes brightness, contrast, saturation and hue at random while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[
            VALUE_RANGE,
            floats("brightness_factor").optional(),
            floats("contrast_factor").optional(),
            floats("saturation_factor").optional(),
            floats("hue_factor").optional(),
            DATA_FORMAT,
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "RandomColorJitter(f32[N,8,8,3]) -> f32[N,8,8,3]",
            "RandomColorJitter(i32[N,8,8,3]) -> i32[N,8,8,3]",
            "RandomColorJitter(f32[8,8]) fails: `inputs` is an image of 3 axes, or a batch of them",
            "RandomColorJitter(f32[8,8,3], brightness_factor=2) fails: `brightness_factor` is a number from -1 to 1, or two that reach into it",
            "RandomColorJitter(f32[8,8,3], contrast_factor=2) fails: `contrast_factor` is a number from 0 to 1, or two that reach into it",
            "RandomColorJitter(f32[8,8,3], saturation_factor=2) fails: `saturation_factor` is a number from -1 to 1, or two that reach into it",
            "RandomColorJitter(f32[8,8,3], hue_factor=2) fails: `hue_factor` is a number from 0 to 1, or two that reach into it",
            "RandomColorJitter(f32[8,8,3], brightness_factor=0.5, value_range=[1]) fails: `value_range` is two numbers",
            "RandomColorJitter(f32[8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    // Whoever changes brightness or saturation has to know the range.
    if call.is_given("brightness_factor") || call.is_given("saturation_factor") {
        require_value_range(call)?;
    }
    // An empty list is as good as none, here alone.
    if !call.optional_floats("brightness_factor")?.is_some_and(|factors| factors.is_empty()) {
        require_factor(
            call,
            "brightness_factor",
            "`brightness_factor` is a number from -1 to 1, or two that reach into it",
            -1.0,
            1.0,
        )?;
    }
    require_factor(
        call,
        "contrast_factor",
        "`contrast_factor` is a number from 0 to 1, or two that reach into it",
        0.0,
        1.0,
    )?;
    require_factor(
        call,
        "saturation_factor",
        "`saturation_factor` is a number from -1 to 1, or two that reach into it",
        -1.0,
        1.0,
    )?;
    require_factor(
        call,
        "hue_factor",
        "`hue_factor` is a number from 0 to 1, or two that reach into it",
        0.0,
        1.0,
    )?;
    unchanged(call)
}
