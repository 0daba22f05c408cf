//! The gradient of the sigmoid at its result.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "sigmoid_grad",
    summary: "The gradient of the sigmoid at its result: `gradients` times the derivative.",
    inputs: &[tensor("gradients", FLOAT), tensor("outputs", FLOAT).like("gradients")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("SigmoidGrad(outputs, gradients)")],
    define,
    examples: &[
        "sigmoid_grad(f32[N,3], f32[N,3]) -> f32[N,3]",
        "sigmoid_grad(f32[1]{4}, f32[1]{0.5}) -> f32[1]{1}",
        "sigmoid_grad(f32[2,3], f32[3]) fails: `gradients` has the shape of `outputs`",
        "sigmoid_grad(i32[2], i32[2]) fails: `gradients` is floating point",
        "sigmoid_grad(f32[2], f64[2]) fails: `outputs` has the element type of `gradients`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    gradient(call, "outputs", "`gradients` has the shape of `outputs`", |gradient, y| {
        gradient * y * (1.0 - y)
    })
}
