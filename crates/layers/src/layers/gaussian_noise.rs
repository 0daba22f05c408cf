//! Gives what it is given; in training it adds noise.

use super::prelude::*;
use crate::shared::random;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "GaussianNoise",
        summary: "Gives what it is given; in training it adds noise.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: &[float("stddev")],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "GaussianNoise(f32[N,3], stddev=0.5) -> f32[N,3]",
            "GaussianNoise(f32[N,3], stddev=1.5) fails: `stddev` lies between 0 and 1",
            "GaussianNoise(f32[N,3]) fails: `stddev` is given",
            "GaussianNoise(i32[2,3], stddev=0.5) fails: `inputs` are floats, as a symbolic build supposes",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Passes,
};

fn define(call: &mut Call) -> Outcome {
    random::require_share(call, "stddev", "`stddev` lies between 0 and 1")?;
    require_promised_type(call)?;
    one(call.tensor("inputs")?)
}
