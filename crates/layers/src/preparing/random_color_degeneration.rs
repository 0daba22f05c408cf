//! Takes colour away at random while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RandomColorDegeneration",
        summary: "Takes colour away at random while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[floats("factor"), VALUE_RANGE, DATA_FORMAT],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "RandomColorDegeneration(f32[N,8,8,3], factor=0.5) -> f32[N,8,8,3]",
            "RandomColorDegeneration(i32[N,8,8,3], factor=0.5) -> i32[N,8,8,3]",
            "RandomColorDegeneration(f32[8,8], factor=0.5) fails: `inputs` is an image of 3 axes, or a batch of them",
            "RandomColorDegeneration(f32[8,8,3], factor=2) fails: `factor` is a number from -1 to 1, or two that reach into it",
            "RandomColorDegeneration(f32[8,8,3]) fails: `factor` is given",
            "RandomColorDegeneration(f32[8,8,3], factor=0.5, value_range=[1]) fails: `value_range` is two numbers",
            "RandomColorDegeneration(f32[8,8,1], factor=0.5) fails: an image has 3 channels",
            "RandomColorDegeneration(f32[8,8,3], factor=0.5, data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    require_factor(
        call,
        "factor",
        "`factor` is a number from -1 to 1, or two that reach into it",
        -1.0,
        1.0,
    )?;
    require_value_range(call)?;
    let images = unchanged(call)?;
    let first = call.text("data_format")? == "channels_first";
    // The first axis of all is not known to a model.
    if !first || call.known_sizes(images[0])?.len() == 4 {
        let channels = images[0].shape().size(if first { Back(2) } else { Back(0) });
        call.require_shape("an image has 3 channels", channels.eq(3));
    }
    Ok(images)
}
