//! Gives what it is given; in training it drops some elements.

use super::prelude::*;
use crate::shared::random;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Dropout",
        summary: "Gives what it is given; in training it drops some elements.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: &[float("rate")],
        outputs: &["output"],
        spellings: &[],
        define: random::dropout,
        examples: &[
            "Dropout(f32[N,3], rate=0.5) -> f32[N,3]",
            "Dropout(f32[N,3], rate=1.5) fails: `rate` lies between 0 and 1",
            "Dropout(f32[N,3]) fails: `rate` is given",
            "Dropout(i32[2,3], rate=0.5) fails: `inputs` are floats, as a symbolic build supposes",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Passes,
};
