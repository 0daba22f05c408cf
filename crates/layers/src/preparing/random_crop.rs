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
        onnx: &[],
        define,
        examples: &[
            "RandomCrop(f32[N,8,8,3], height=4, width=6) -> f32[N,8,8,3]",
            "RandomCrop(f32[8,8], height=4, width=6) fails: `inputs` is an image of 3 axes, or a batch of them",
            "RandomCrop(f32[N,8,8,3], height=0, width=6) fails: neither `height` nor `width` is 0",
            "RandomCrop(f32[N,8,8,3], height=4) fails: `width` is given",
            "RandomCrop(f32[N,8,8,3], width=4) fails: `height` is given",
            "RandomCrop(f32[8,8,3], height=4, width=4) fails: `inputs` has a batch, or channels, before its height and width",
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
    call.require_value("neither `height` nor `width` is 0", height.ne(0) & width.ne(0));
    // A model does not know the first axis, and the layer wants to know the height.
    let rank = call.known_sizes(images[0])?.len();
    let knows = rank == 4 || call.text("data_format")? == "channels_first";
    let label = "`inputs` has a batch, or channels, before its height and width";
    call.insist(IncompatibleShape, label, knows)?;
    Ok(images)
}
