//! Makes images grey at random while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RandomGrayscale",
        summary: "Makes images grey at random while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[float("factor").or_float(0.5), DATA_FORMAT],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "RandomGrayscale(f32[N,8,8,3]) -> f32[N,8,8,3]",
            "RandomGrayscale(i32[N,8,8,3]) -> i32[N,8,8,3]",
            "RandomGrayscale(f32[8,8]) fails: `inputs` is an image of 3 axes, or a batch of them",
            "RandomGrayscale(f32[8,8,3], factor=2) fails: `factor` lies between 0 and 1",
            "RandomGrayscale(f32[8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    crate::shared::random::require_share(call, "factor", "`factor` lies between 0 and 1")?;
    unchanged(call)
}
