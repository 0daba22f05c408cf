//! Slopes below zero.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "LeakyReLU",
        summary: "Slopes below zero.",
        inputs: &[tensor("inputs", FLOAT)],
        parameters: &[float("negative_slope").or_float(0.3)],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "LeakyReLU(f32[2]{-10,2}) -> f32[2]{-3,2}",
            "LeakyReLU(f32[2], negative_slope=-1) fails: `negative_slope` is not negative",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Passes,
};

fn define(call: &mut Call) -> Outcome {
    let (input, slope) = (call.tensor("inputs")?, call.float("negative_slope")?);
    call.insist(IllegalValue, "`negative_slope` is not negative", slope >= 0.0)?;
    one(map(input, input.dtype(), move |x| x.ge(0.0).select(x, x * slope)))
}
