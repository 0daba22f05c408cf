//! The gradient of the reciprocal at its result.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "reciprocal_grad",
    summary: "The gradient of the reciprocal at its result: `gradients` times the derivative.",
    inputs: &[tensor("gradients", FLOAT), tensor("outputs", FLOAT).like("gradients")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("ReciprocalGrad(outputs, gradients)"), tensorflow("InvGrad(outputs, gradients)")],
    define,
    examples: &[
        "reciprocal_grad(f32[N,3], f32[N,3]) -> f32[N,3]",
        "reciprocal_grad(f32[1]{4}, f32[1]{2}) -> f32[1]{-16}",
        "reciprocal_grad(f32[2,3], f32[3]) fails: `gradients` has the shape of `outputs`",
        "reciprocal_grad(i32[2], i32[2]) fails: `gradients` is floating point",
        "reciprocal_grad(f32[2], f64[2]) fails: `outputs` has the element type of `gradients`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    gradient(call, "outputs", "`gradients` has the shape of `outputs`", |gradient, y| -(gradient * (y * y)))
}
