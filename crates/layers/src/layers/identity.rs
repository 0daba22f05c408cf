//! Gives what it is given.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Identity",
        summary: "Gives what it is given.",
        inputs: &[tensor("inputs", ANY)],
        parameters: &[],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &["Identity(f32[N,3]) -> f32[N,3]"],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Passes,
};

fn define(call: &mut Call) -> Outcome {
    one(call.tensor("inputs")?)
}
