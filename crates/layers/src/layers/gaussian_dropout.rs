//! Gives what it is given; in training it multiplies with noise.

use super::prelude::*;
use crate::shared::random;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "GaussianDropout",
        summary: "Gives what it is given; in training it multiplies with noise.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: &[float("rate")],
        outputs: &["output"],
        spellings: &[],
        define: random::dropout,
        examples: &[
            "GaussianDropout(f32[N,3], rate=0.5) -> f32[N,3]",
            "GaussianDropout(f32[N,3], rate=1.5) fails: `rate` lies between 0 and 1",
            "GaussianDropout(f32[N,3]) fails: `rate` is given",
            "GaussianDropout(i32[2,3], rate=0.5) fails: `inputs` are floats, as a symbolic build supposes",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Passes,
};
