//! Moves images at random while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RandomTranslation",
        summary: "Moves images at random while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[
            floats("height_factor"),
            floats("width_factor"),
            FILL_MODE,
            INTERPOLATION,
            float("fill_value").or_float(0.0),
            DATA_FORMAT,
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "RandomTranslation(f32[N,8,8,3], height_factor=0.5, width_factor=0.5) -> f32[N,8,8,3]",
            "RandomTranslation(i32[N,8,8,3], height_factor=0.5, width_factor=0.5) -> f32[N,8,8,3]",
            "RandomTranslation(f32[8,8], height_factor=0.5, width_factor=0.5) fails: `inputs` is an image of 3 axes, or a batch of them",
            "RandomTranslation(f32[8,8,3], height_factor=[0.5,2], width_factor=0.5) fails: `height_factor` is a number from -1 to 1, or two of them",
            "RandomTranslation(f32[8,8,3], width_factor=0.5) fails: `height_factor` is given",
            "RandomTranslation(f32[8,8,3], width_factor=[0.5,2], height_factor=0.5) fails: `width_factor` is a number from -1 to 1, or two of them",
            "RandomTranslation(f32[8,8,3], height_factor=0.5) fails: `width_factor` is given",
            "RandomTranslation(f32[8,8,3], height_factor=0.5, width_factor=0.5, fill_mode=steep) fails: `fill_mode` is one of reflect, wrap, constant, nearest",
            "RandomTranslation(f32[8,8,3], height_factor=0.5, width_factor=0.5, interpolation=steep) fails: `interpolation` is one of nearest, bilinear",
            "RandomTranslation(f32[8,8,3], height_factor=0.5, width_factor=0.5, data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    require_factors(
        call,
        "height_factor",
        "`height_factor` is a number from -1 to 1, or two of them",
        -1.0,
        1.0,
        false,
    )?;
    require_factors(
        call,
        "width_factor",
        "`width_factor` is a number from -1 to 1, or two of them",
        -1.0,
        1.0,
        false,
    )?;
    as_floats(call)
}
