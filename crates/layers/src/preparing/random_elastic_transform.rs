//! Distorts images elastically at random while training; the images as they are otherwise.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RandomElasticTransform",
        summary: "Distorts images elastically at random while training; the images as they are otherwise.",
        inputs: IMAGES,
        parameters: &[
            floats("factor").or_float(1.0),
            floats("scale").or_float(1.0),
            INTERPOLATION,
            word("fill_mode", &["reflect", "wrap", "constant", "nearest", "mirror"]).or_word("reflect"),
            float("fill_value").or_float(0.0),
            VALUE_RANGE,
            DATA_FORMAT,
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "RandomElasticTransform(f32[N,8,8,3]) -> f32[N,8,8,3]",
            "RandomElasticTransform(i32[N,8,8,3]) -> f32[N,8,8,3]",
            "RandomElasticTransform(f32[8,8]) fails: `inputs` is an image of 3 axes, or a batch of them",
            "RandomElasticTransform(f32[8,8,3], factor=2) fails: `factor` is a number from 0 to 1, or two that reach into it",
            "RandomElasticTransform(f32[8,8,3], scale=2) fails: `scale` is a number from 0 to 1, or two that reach into it",
            "RandomElasticTransform(f32[8,8,3], interpolation=steep) fails: `interpolation` is one of nearest, bilinear",
            "RandomElasticTransform(f32[8,8,3], fill_mode=steep) fails: `fill_mode` is one of reflect, wrap, constant, nearest, mirror",
            "RandomElasticTransform(f32[8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    require_factor(call, "factor", "`factor` is a number from 0 to 1, or two that reach into it", 0.0, 1.0)?;
    require_factor(call, "scale", "`scale` is a number from 0 to 1, or two that reach into it", 0.0, 1.0)?;
    as_floats(call)
}
