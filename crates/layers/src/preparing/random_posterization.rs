//! Reduces the number of colours at random while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RandomPosterization",
        summary: "Reduces the number of colours at random while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[floats("factor"), VALUE_RANGE, DATA_FORMAT],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "RandomPosterization(f32[N,8,8,3], factor=4) -> f32[N,8,8,3]",
            "RandomPosterization(i32[N,8,8,3], factor=4) -> i32[N,8,8,3]",
            "RandomPosterization(f32[8,8], factor=4) fails: `inputs` is an image of 3 axes, or a batch of them",
            "RandomPosterization(f32[8,8,3], factor=9) fails: `factor` is a number from 1 to 8, or two that reach into it",
            "RandomPosterization(f32[8,8,3]) fails: `factor` is given",
            "RandomPosterization(f32[8,8,3], factor=4, value_range=[1]) fails: `value_range` is two numbers",
            "RandomPosterization(f32[8,8,3], factor=1.5) fails: `factor` is whole",
            "RandomPosterization(f32[8,8,3], factor=4, data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    require_factor(call, "factor", "`factor` is a number from 1 to 8, or two that reach into it", 1.0, 8.0)?;
    require_value_range(call)?;
    let whole = call.optional_floats("factor")?.is_none_or(|factor| factor.iter().all(|x| x.fract() == 0.0));
    call.insist(IllegalValue, "`factor` is whole", whole)?;
    unchanged(call)
}
