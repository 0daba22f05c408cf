//! Zooms at random while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RandomZoom",
        summary: "Zooms at random while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[
            floats("height_factor"),
            floats("width_factor").optional(),
            FILL_MODE,
            INTERPOLATION,
            float("fill_value").or_float(0.0),
            DATA_FORMAT,
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "RandomZoom(f32[N,8,8,3], height_factor=0.5) -> f32[N,8,8,3]",
            "RandomZoom(i32[N,8,8,3], height_factor=0.5) -> f32[N,8,8,3]",
            "RandomZoom(f32[8,8], height_factor=0.5) fails: `inputs` is an image of 3 axes, or a batch of them",
            "RandomZoom(f32[8,8,3], height_factor=-1) fails: `height_factor` is a number above -1 and at most 1, or two of them",
            "RandomZoom(f32[8,8,3]) fails: `height_factor` is given",
            "RandomZoom(f32[8,8,3], width_factor=-1, height_factor=0.5) fails: `width_factor` is a number above -1 and at most 1, or two of them",
            "RandomZoom(f32[8,8,3], height_factor=0.5, fill_mode=steep) fails: `fill_mode` is one of reflect, wrap, constant, nearest",
            "RandomZoom(f32[8,8,3], height_factor=0.5, interpolation=steep) fails: `interpolation` is one of nearest, bilinear",
            "RandomZoom(f32[8,8,3], height_factor=0.5, data_format=last) fails: `data_format` is one of channels_last, channels_first",
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
        "`height_factor` is a number above -1 and at most 1, or two of them",
        -1.0,
        1.0,
        true,
    )?;
    require_factors(
        call,
        "width_factor",
        "`width_factor` is a number above -1 and at most 1, or two of them",
        -1.0,
        1.0,
        true,
    )?;
    as_floats(call)
}
