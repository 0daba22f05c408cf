//! Scales and shifts every element.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Rescaling",
        summary: "Scales and shifts every element.",
        inputs: &[tensor("inputs", FLOAT)],
        parameters: &[float("scale"), float("offset").or_float(0.0)],
        outputs: &["output"],
        onnx: &[],
        define,
        examples: &[
            "Rescaling(f32[2]{1,2}, scale=2, offset=1) -> f32[2]{3,5}",
            "Rescaling(f32[2]) fails: `scale` is given",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Passes,
};

fn define(call: &mut Call) -> Outcome {
    let (input, scale, offset) = (call.tensor("inputs")?, call.float("scale")?, call.float("offset")?);
    one(map(input, input.dtype(), move |x| x * scale + offset))
}
