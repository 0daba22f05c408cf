//! Brings images to another size.

use crate::layers::prelude::*;
use crate::shared::augmentation::{DATA_FORMAT, IMAGES, TAKES};
use crate::shared::images::{self, INTERPOLATIONS};

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Resizing",
        summary: "Brings images to another size.",
        inputs: IMAGES,
        parameters: &[
            int("height"),
            int("width"),
            word("interpolation", INTERPOLATIONS).or_word("bilinear"),
            flag("crop_to_aspect_ratio").or_flag(false),
            flag("pad_to_aspect_ratio").or_flag(false),
            word("fill_mode", &["constant"]).or_word("constant"),
            float("fill_value").or_float(0.0),
            flag("antialias").or_flag(false),
            DATA_FORMAT,
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Resizing(f32[N,8,8,3], height=4, width=6) -> f32[N,4,6,3]",
            "Resizing(f32[3,8,8], height=4, width=6, data_format=channels_first) -> f32[3,4,6]",
            "Resizing(f32[1,2,1]{1,3}, height=1, width=4) -> f32[1,4,1]{1,1.5,2.5,3}",
            "Resizing(f32[1,2,1]{1,3}, height=1, width=4, interpolation=nearest) -> f32[1,4,1]{1,1,3,3}",
            "Resizing(f32[1,4,1]{1,3,5,7}, height=1, width=2, crop_to_aspect_ratio=true) -> f32[1,2,1]{3,5}",
            "Resizing(f32[1,2,1]{1,3}, height=2, width=2, pad_to_aspect_ratio=true, fill_value=9) -> f32[2,2,1]{1,3,1,3}",
            "Resizing(f32[1,2,1]{0,64}, height=1, width=4, interpolation=bicubic) on torch -> f32[1,4,1]{-6.75,14.5,49.5,70.75}",
            "Resizing(f32[8,8,3], height=4, width=6, interpolation=lanczos3) on torch fails: PyTorch has the `interpolation`",
            "Resizing(f32[8,8], height=4, width=6) fails: `inputs` is an image of 3 axes, or a batch of them",
            "Resizing(f32[8,8,3], height=0, width=6) fails: `height` and `width` are positive",
            "Resizing(f32[8,8,3], height=4) fails: `width` is given",
            "Resizing(f32[8,8,3], width=4) fails: `height` is given",
            "Resizing(f32[8,8,3], height=4, width=4, interpolation=steep) fails: `interpolation` is one of bilinear, nearest, bicubic, lanczos3, lanczos5",
            "Resizing(f32[8,8,3], height=4, width=4, fill_mode=wrap) fails: `fill_mode` is one of constant",
            "Resizing(f32[8,8,3], height=4, width=4, data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "Resizing(f32[8,8,3], height=4, width=4, crop_to_aspect_ratio=true, pad_to_aspect_ratio=true) fails: it crops or pads to the proportions, not both",
            "Resizing(i32[1,2,1]{1,4}, height=1, width=4) -> i32[1,4,1]{1,2,3,4}",
            "Resizing(f32[8,0,3], height=4, width=4) fails: there is something to resize",
            "Resizing(i32[2,3,3,1], height=3, width=1, pad_to_aspect_ratio=true) fails: `fill_value` is written as an integer where integers are padded",
            "Resizing(i32[2,3,3,1], height=3, width=1, pad_to_aspect_ratio=true) on torch -> i32[2,3,1,1]",
            "Resizing(i32[2,3,3,1], height=3, width=1, pad_to_aspect_ratio=true, fill_value=3) -> i32[2,3,1,1]",
            "Resizing(f32[0,6,1]{}, height=2, width=2, pad_to_aspect_ratio=true, fill_value=1) -> f32[2,2,1]{1,1,1,1}",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    let (crops, pads) = (call.flag("crop_to_aspect_ratio")?, call.flag("pad_to_aspect_ratio")?);
    call.insist(IllegalValue, "it crops or pads to the proportions, not both", !(crops && pads))?;
    let (images, target) = images::read(call)?;
    call.demand(IllegalValue, images::POSITIVE, target[0].ge(1) & target[1].ge(1))?;
    let given = call.kind(call.tensor("inputs")?)?;
    // What is put around an image may be all that there is of it.
    let images = if pads {
        let value = call.float("fill_value")?;
        let padded = images.surrounded(target, value);
        // TensorFlow makes no integer of 0.0; other whole numbers are taken to be written as integers.
        if call.backend == Backend::TensorFlow && !given.is_float() && (value == 0.0 || value.fract() != 0.0)
        {
            let label = "`fill_value` is written as an integer where integers are padded";
            call.require(IncompatibleType, label, padded.tensor.shape().same(images.tensor.shape()));
        }
        padded
    } else {
        images
    };
    images::require_something(call, &images)?;
    let images = if crops { images.proportioned(target) } else { images };
    let (interpolation, antialias) = (call.text("interpolation")?, call.flag("antialias")?);
    let made = images.resized(call, target, &interpolation, antialias)?[0];
    // Integers stay integers.
    one(if given.is_float() { made } else { map(made, given, move |x| x.round().cast(given)) })
}
