//! Leaves what is above a threshold; of Keras 2.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "ThresholdedReLU",
        summary: "Leaves what is above a threshold; of Keras 2.",
        inputs: &[tensor("inputs", FLOAT)],
        parameters: &[float("theta").or_float(1.0)],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "ThresholdedReLU(f32[3]{0.5,1,2}) -> f32[3]{0,0,2}",
            "ThresholdedReLU(f32[3], theta=-1) fails: `theta` is not negative",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Passes,
};

fn define(call: &mut Call) -> Outcome {
    let (input, theta) = (call.tensor("inputs")?, call.float("theta")?);
    call.insist(IllegalValue, "`theta` is not negative", theta >= 0.0)?;
    one(map(input, input.dtype(), move |x| x.gt(theta).select(x, Element::constant(x.kind(), 0.0))))
}
