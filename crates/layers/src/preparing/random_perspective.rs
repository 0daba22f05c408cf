//! Changes the perspective at random while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RandomPerspective",
        summary: "Changes the perspective at random while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[
            floats("factor").or_float(1.0),
            float("scale").or_float(1.0),
            INTERPOLATION,
            float("fill_value").or_float(0.0),
            DATA_FORMAT,
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "RandomPerspective(f32[N,8,8,3]) -> f32[N,8,8,3]",
            "RandomPerspective(i32[N,8,8,3]) -> f32[N,8,8,3]",
            "RandomPerspective(f32[8,8]) fails: `inputs` is an image of 3 axes, or a batch of them",
            "RandomPerspective(f32[8,8,3], factor=2) fails: `factor` is a number from 0 to 1, or two that reach into it",
            "RandomPerspective(f32[8,8,3], scale=2) fails: `scale` lies between 0 and 1",
            "RandomPerspective(f32[8,8,3], interpolation=steep) fails: `interpolation` is one of nearest, bilinear",
            "RandomPerspective(f32[8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    require_factor(call, "factor", "`factor` is a number from 0 to 1, or two that reach into it", 0.0, 1.0)?;
    crate::shared::random::require_share(call, "scale", "`scale` lies between 0 and 1")?;
    as_floats(call)
}
