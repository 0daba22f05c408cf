//! Turns images at random while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RandomRotation",
        summary: "Turns images at random while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[
            floats("factor").optional(),
            FILL_MODE,
            INTERPOLATION,
            float("fill_value").or_float(0.0),
            DATA_FORMAT,
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "RandomRotation(f32[N,8,8,3], factor=0.1) -> f32[N,8,8,3]",
            "RandomRotation(i32[N,8,8,3], factor=0.1) -> f32[N,8,8,3]",
            "RandomRotation(f32[8,8], factor=0.1) fails: `inputs` is an image of 3 axes, or a batch of them",
            "RandomRotation(f32[8,8,3], factor=2) fails: `factor` is a number from -1 to 1, or two that reach into it",
            "RandomRotation(f32[8,8,3], factor=0.1, fill_mode=steep) fails: `fill_mode` is one of reflect, wrap, constant, nearest",
            "RandomRotation(f32[8,8,3], factor=0.1, interpolation=steep) fails: `interpolation` is one of nearest, bilinear",
            "RandomRotation(f32[8,8,3], factor=0.1, data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "RandomRotation(f32[8,8,3]) -> f32[8,8,3]",
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
    as_floats(call)
}
