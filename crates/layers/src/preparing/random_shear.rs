//! Shears images at random while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RandomShear",
        summary: "Shears images at random while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[
            floats("x_factor").or_float(0.0),
            floats("y_factor").or_float(0.0),
            INTERPOLATION,
            FILL_MODE,
            float("fill_value").or_float(0.0),
            DATA_FORMAT,
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "RandomShear(f32[N,8,8,3]) -> f32[N,8,8,3]",
            "RandomShear(i32[N,8,8,3]) -> f32[N,8,8,3]",
            "RandomShear(f32[8,8]) fails: `inputs` is an image of 3 axes, or a batch of them",
            "RandomShear(f32[8,8,3], x_factor=[0.5,2]) fails: `x_factor` is a number from 0 to 1, or two of them",
            "RandomShear(f32[8,8,3], y_factor=[0.5,2]) fails: `y_factor` is a number from 0 to 1, or two of them",
            "RandomShear(f32[8,8,3], interpolation=steep) fails: `interpolation` is one of nearest, bilinear",
            "RandomShear(f32[8,8,3], fill_mode=steep) fails: `fill_mode` is one of reflect, wrap, constant, nearest",
            "RandomShear(f32[8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    require_factors(call, "x_factor", "`x_factor` is a number from 0 to 1, or two of them", 0.0, 1.0, false)?;
    require_factors(call, "y_factor", "`y_factor` is a number from 0 to 1, or two of them", 0.0, 1.0, false)?;
    as_floats(call)
}
