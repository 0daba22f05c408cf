//! The middle of images; images that are too small are resized.

use crate::layers::prelude::*;
use crate::shared::augmentation::{DATA_FORMAT, IMAGES, TAKES};
use crate::shared::images;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "CenterCrop",
        summary: "The middle of images; images that are too small are resized.",
        inputs: IMAGES,
        parameters: &[int("height"), int("width"), DATA_FORMAT],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "CenterCrop(f32[N,8,8,3], height=4, width=6) -> f32[N,4,6,3]",
            "CenterCrop(f32[1,4,1]{1,3,5,7}, height=1, width=2) -> f32[1,2,1]{3,5}",
            "CenterCrop(f32[1,2,1]{1,3}, height=2, width=4) -> f32[2,4,1]{1,1.5,2.5,3,1,1.5,2.5,3}",
            "CenterCrop(f32[8,8], height=4, width=6) fails: `inputs` is an image of 3 axes, or a batch of them",
            "CenterCrop(f32[8,8,3], height=0, width=6) -> f32[0,6,3]",
            "CenterCrop(f32[8,8,3], height=0, width=9) fails: `height` and `width` are positive",
            "CenterCrop(f32[8,8,3], height=-1, width=6) fails: `height` and `width` are not negative",
            "CenterCrop(f32[8,8,3], height=4) fails: `width` is given",
            "CenterCrop(f32[8,8,3], width=4) fails: `height` is given",
            "CenterCrop(f32[8,8,3], height=4, width=4, data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "CenterCrop(i32[N,8,8,3], height=4, width=6) -> f32[N,4,6,3]",
            "CenterCrop(f32[8,0,3], height=4, width=4) fails: there is something to resize",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    let (images, target) = images::read(call)?;
    call.require_value("`height` and `width` are not negative", target[0].ge(0) & target[1].ge(0));
    let size = images.size();
    let fits = size[0].ge(target[0]) & size[1].ge(target[1]);
    let start = [0, 1].map(|k| (size[k] - target[k]).div_floor(2));
    let cropped = images.cropped(start, target).tensor;
    match fits.known() {
        Some(true) => one(cropped),
        Some(false) => {
            call.demand(IllegalValue, images::POSITIVE, target[0].ge(1) & target[1].ge(1))?;
            images::require_something(call, &images)?;
            images.proportioned(target).resized(call, target, "bilinear", false)
        }
        None => call.valueless(cropped.dtype(), cropped.shape(), "whether images are cropped or resized"),
    }
}
