//! Pastes parts of one image into another while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "CutMix",
        summary: "Pastes parts of one image into another while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[floats("factor").or_float(1.0), DATA_FORMAT],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "CutMix(f32[N,8,8,3]) -> f32[N,8,8,3]",
            "CutMix(i32[N,8,8,3]) -> f32[N,8,8,3]",
            "CutMix(f32[8,8]) fails: `inputs` is an image of 3 axes, or a batch of them",
            "CutMix(f32[8,8,3], factor=2) fails: `factor` is a number from 0 to 1, or two that reach into it",
            "CutMix(f32[8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    require_factor(call, "factor", "`factor` is a number from 0 to 1, or two that reach into it", 0.0, 1.0)?;
    as_floats(call)
}
