//! Mixes two images while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "MixUp",
        summary: "Mixes two images while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[float("alpha").or_float(0.2), DATA_FORMAT],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "MixUp(f32[N,8,8,3]) -> f32[N,8,8,3]",
            "MixUp(i32[N,8,8,3]) -> i32[N,8,8,3]",
            "MixUp(f32[8,8]) fails: `inputs` is an image of 3 axes, or a batch of them",
            "MixUp(f32[8,8,3], alpha=0) -> f32[8,8,3]",
            "MixUp(f32[8,8,3], alpha=0) on torch fails: `alpha` is positive",
            "MixUp(f32[0,8,8,3]) on torch fails: there is something to mix",
            "MixUp(f32[0,8,8,3]) -> f32[0,8,8,3]",
            "MixUp(f32[8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    let alpha = call.float("alpha")?;
    // TensorFlow draws from whatever it is given, and only while training.
    let checked = call.backend == Backend::Torch;
    call.insist(IllegalValue, "`alpha` is positive", alpha > 0.0 || !checked)?;
    let images = call.tensor("inputs")?;
    if checked && call.known_sizes(images)?.len() == 4 {
        // Whether it trains or not it draws for each image.
        let some = images.shape().size(Front(0)).ge(1);
        call.require_legal("there is something to mix", some);
    }
    unchanged(call)
}
