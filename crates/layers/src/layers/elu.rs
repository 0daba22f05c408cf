//! Falls exponentially towards a bound below zero.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "ELU",
        summary: "Falls exponentially towards a bound below zero.",
        inputs: &[tensor("inputs", FLOAT)],
        parameters: &[float("alpha").or_float(1.0)],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &["ELU(f32[2]{0,2}) -> f32[2]{0,2}"],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Passes,
};

fn define(call: &mut Call) -> Outcome {
    let (input, alpha) = (call.tensor("inputs")?, call.float("alpha")?);
    // TensorFlow subtracts 1 from the exponential, which loses digits near zero.
    one(map(input, input.dtype(), move |x| x.gt(0.0).select(x, (x.min(0.0).exp() - 1.0) * alpha)))
}
