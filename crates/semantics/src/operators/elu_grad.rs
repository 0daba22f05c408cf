//! The gradient of elu at its result.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "elu_grad",
    summary: "The gradient of elu at its result: `gradients` times the derivative.",
    inputs: &[tensor("gradients", FLOAT), tensor("outputs", FLOAT).like("gradients")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("EluGrad(gradients, outputs)")],
    define,
    examples: &[
        "elu_grad(f32[N,3], f32[N,3]) -> f32[N,3]",
        "elu_grad(f32[2]{4,4}, f32[2]{-0.5,2}) -> f32[2]{2,4}",
        "elu_grad(f32[2,3], f32[3]) fails: `gradients` has the shape of `outputs`",
        "elu_grad(i32[2], i32[2]) fails: `gradients` is floating point",
        "elu_grad(f32[2], f64[2]) fails: `outputs` has the element type of `gradients`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    gradient(call, "outputs", "`gradients` has the shape of `outputs`", |gradient, y| {
        y.lt(0.0).select(gradient * (y + 1.0), gradient)
    })
}
