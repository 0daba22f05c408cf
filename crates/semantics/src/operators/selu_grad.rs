//! The gradient of selu at its result.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "selu_grad",
    summary: "The gradient of selu at its result: `gradients` times the derivative.",
    inputs: &[tensor("gradients", FLOAT), tensor("outputs", FLOAT).like("gradients")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("SeluGrad(gradients, outputs)")],
    define,
    examples: &[
        "selu_grad(f32[N,3], f32[N,3]) -> f32[N,3]",
        "selu_grad(f32[2,3], f32[3]) fails: `gradients` has the shape of `outputs`",
        "selu_grad(i32[2], i32[2]) fails: `gradients` is floating point",
        "selu_grad(f32[2], f64[2]) fails: `outputs` has the element type of `gradients`",
    ],
};

/// What positive numbers are multiplied with, and that times the weight of the exponential.
const SCALE: f64 = 1.050_700_987_355_480_5;
const SCALED: f64 = 1.758_099_340_847_376_6;

fn define(call: &mut Call) -> Outcome {
    gradient(call, "outputs", "`gradients` has the shape of `outputs`", |gradient, y| {
        y.lt(0.0).select(gradient * (y + SCALED), gradient * SCALE)
    })
}
