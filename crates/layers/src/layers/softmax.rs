//! Positive numbers that sum to 1 along an axis.

use super::prelude::*;
use semantics::operators::softmax::softmax;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Softmax",
        summary: "Positive numbers that sum to 1 along an axis.",
        inputs: &[tensor("inputs", FLOAT)],
        parameters: &[ints("axis").or(-1)],
        outputs: &["output"],
        onnx: &[],
        define,
        examples: &[
            "Softmax(f32[1,2]{3,3}) -> f32[1,2]{0.5,0.5}",
            "Softmax(f32[2,3,4], axis=[1,2]) -> f32[2,3,4]",
            "Softmax(f32[2,3], axis=2) fails: `axis` is within the rank",
            "Softmax(f32[2,3], axis=[1,1]) fails: no axis is named twice",
        ],
    },
    weights: no_weights,
    mask: Mask::Open,
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("inputs")?;
    let axes = call.optional_ints("axis")?.unwrap_or_else(|| vec![Dim::from(-1)]);
    let axes = call.axes_at(&axes, "`axis` is within the rank", "no axis is named twice", input.shape())?;
    one(softmax(input, &axes))
}
