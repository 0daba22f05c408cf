//! Gives what it is given; training pays for its size.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "ActivityRegularization",
        summary: "Gives what it is given; training pays for its size.",
        inputs: &[tensor("inputs", FLOAT)],
        parameters: &[float("l1").or_float(0.0), float("l2").or_float(0.0)],
        outputs: &["output"],
        onnx: &[],
        define,
        examples: &["ActivityRegularization(f32[N,3]) -> f32[N,3]"],
    },
    weights: no_weights,
    mask: Mask::Passes,
};

fn define(call: &mut Call) -> Outcome {
    one(call.tensor("inputs")?)
}
