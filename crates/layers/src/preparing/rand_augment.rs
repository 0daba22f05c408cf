//! Changes images by operations chosen at random while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RandAugment",
        summary: "Changes images by operations chosen at random while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[
            VALUE_RANGE,
            int("num_ops").or(2),
            floats("factor").or_float(0.5),
            INTERPOLATION,
            DATA_FORMAT,
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "RandAugment(f32[N,8,8,3]) -> f32[N,8,8,3]",
            "RandAugment(i32[N,8,8,3]) -> f32[N,8,8,3]",
            "RandAugment(f32[8,8]) fails: `inputs` is an image of 3 axes, or a batch of them",
            "RandAugment(f32[8,8,3], value_range=[1]) fails: `value_range` is two numbers",
            "RandAugment(f32[8,8,3], factor=[0.5,2]) fails: `factor` is a number from 0 to 1, or two of them",
            "RandAugment(f32[8,8,3], interpolation=steep) fails: `interpolation` is one of nearest, bilinear",
            "RandAugment(f32[8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    require_value_range(call)?;
    require_factors(call, "factor", "`factor` is a number from 0 to 1, or two of them", 0.0, 1.0, false)?;
    as_floats(call)
}
