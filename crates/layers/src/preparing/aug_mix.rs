//! Mixes chains of random changes of an image while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "AugMix",
        summary: "Mixes chains of random changes of an image while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[
            floats("factor").or_float(0.3),
            VALUE_RANGE,
            int("num_chains").or(3),
            int("chain_depth").or(3),
            float("alpha").or_float(1.0),
            flag("all_ops").or_flag(true),
            INTERPOLATION,
            DATA_FORMAT,
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "AugMix(f32[N,8,8,3]) -> f32[N,8,8,3]",
            "AugMix(i32[N,8,8,3]) -> f32[N,8,8,3]",
            "AugMix(f32[8,8]) fails: `inputs` is an image of 3 axes, or a batch of them",
            "AugMix(f32[8,8,3], factor=[0.5,2]) fails: `factor` is a number from 0 to 1, or two of them",
            "AugMix(f32[8,8,3], value_range=[1]) fails: `value_range` is two numbers",
            "AugMix(f32[8,8,3], interpolation=steep) fails: `interpolation` is one of nearest, bilinear",
            "AugMix(f32[8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    require_factors(call, "factor", "`factor` is a number from 0 to 1, or two of them", 0.0, 1.0, false)?;
    require_value_range(call)?;
    as_floats(call)
}
