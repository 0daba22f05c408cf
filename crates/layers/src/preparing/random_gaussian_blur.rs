//! Blurs images at random while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RandomGaussianBlur",
        summary: "Blurs images at random while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[
            floats("factor").or_float(1.0),
            ints("kernel_size").optional(),
            floats("sigma").or_float(1.0),
            VALUE_RANGE,
            DATA_FORMAT,
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "RandomGaussianBlur(f32[N,8,8,3]) -> f32[N,8,8,3]",
            "RandomGaussianBlur(i32[N,8,8,3]) -> f32[N,8,8,3]",
            "RandomGaussianBlur(f32[8,8]) fails: `inputs` is an image of 3 axes, or a batch of them",
            "RandomGaussianBlur(f32[8,8,3], factor=2) fails: `factor` is a number from 0 to 1, or two that reach into it",
            "RandomGaussianBlur(f32[8,8,3], kernel_size=2) fails: `kernel_size` is an odd number, or two of them",
            "RandomGaussianBlur(f32[8,8,3], sigma=2) fails: `sigma` is a number from 0 to 1, or two that reach into it",
            "RandomGaussianBlur(f32[8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

const ODD: &str = "`kernel_size` is an odd number, or two of them";

fn define(call: &mut Call) -> Outcome {
    require_factor(call, "factor", "`factor` is a number from 0 to 1, or two that reach into it", 0.0, 1.0)?;
    let sizes = call.optional_ints("kernel_size")?.unwrap_or_else(|| vec![Dim::from(3)]);
    let many = sizes.len() == if call.is_list("kernel_size") { 2 } else { 1 };
    call.insist(IllegalValue, ODD, many)?;
    call.require_value(ODD, Prop::all(sizes.iter().map(|size| size.modulo(2).eq(1))));
    require_factor(call, "sigma", "`sigma` is a number from 0 to 1, or two that reach into it", 0.0, 1.0)?;
    as_floats(call)
}
