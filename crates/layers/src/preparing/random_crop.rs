//! Crops images at random while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RandomCrop",
        summary: "Crops images at random while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[int("height"), int("width"), DATA_FORMAT],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "RandomCrop(f32[N,8,8,3], height=4, width=6) -> f32[N,8,8,3]",
            "RandomCrop(i32[N,8,8,3], height=4, width=6) -> i32[N,8,8,3]",
            "RandomCrop(f32[8,8], height=4, width=6) fails: `inputs` is an image of 3 axes, or a batch of them",
            "RandomCrop(f32[N,8,8,3], height=0, width=6) fails: `height` and `width` are positive",
            "RandomCrop(f32[N,8,8,3], height=4) fails: `width` is given",
            "RandomCrop(f32[N,8,8,3], width=4) fails: `height` is given",
            "RandomCrop(f32[8,8,3], height=4, width=4, data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    let images = unchanged(call)?;
    let (height, width) = (call.int("height")?, call.int("width")?);
    call.require_value("`height` and `width` are positive", height.ge(1) & width.ge(1));
    Ok(images)
}
