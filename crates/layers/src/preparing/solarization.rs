//! Inverts what is bright at random while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Solarization",
        summary: "Inverts what is bright at random while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[
            floats("addition_factor").or_float(0.0),
            floats("threshold_factor").or_float(0.0),
            VALUE_RANGE,
            DATA_FORMAT,
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Solarization(f32[N,8,8,3]) -> f32[N,8,8,3]",
            "Solarization(i32[N,8,8,3]) -> f32[N,8,8,3]",
            "Solarization(f32[8,8]) fails: `inputs` is an image of 3 axes, or a batch of them",
            "Solarization(f32[8,8,3], addition_factor=[0.5,2]) fails: `addition_factor` is a number from 0 to 1, or two of them",
            "Solarization(f32[8,8,3], threshold_factor=[0.5,2]) fails: `threshold_factor` is a number from 0 to 1, or two of them",
            "Solarization(f32[8,8,3], value_range=[1]) fails: `value_range` is two numbers",
            "Solarization(f32[8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    require_factors(
        call,
        "addition_factor",
        "`addition_factor` is a number from 0 to 1, or two of them",
        0.0,
        1.0,
        false,
    )?;
    require_factors(
        call,
        "threshold_factor",
        "`threshold_factor` is a number from 0 to 1, or two of them",
        0.0,
        1.0,
        false,
    )?;
    require_value_range(call)?;
    as_floats(call)
}
