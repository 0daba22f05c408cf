//! Gives what it is given; in training it drops some elements and keeps mean and variance.

use super::prelude::*;
use crate::shared::random;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "AlphaDropout",
        summary: "Gives what it is given; in training it drops some elements and keeps mean and variance.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: &[float("rate")],
        outputs: &["output"],
        spellings: &[],
        define: random::dropout,
        examples: &[
            "AlphaDropout(f32[N,3], rate=0.5) -> f32[N,3]",
            "AlphaDropout(f32[N,3], rate=1.5) fails: `rate` lies between 0 and 1",
            "AlphaDropout(f32[N,3]) fails: `rate` is given",
            "AlphaDropout(i32[2,3], rate=0.5) fails: `inputs` are floats, as a symbolic build supposes",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Passes,
};
