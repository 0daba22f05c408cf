//! The gradient of softsign.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "softsign_grad",
    summary: "The gradient of softsign: `gradients` times the derivative.",
    inputs: &[tensor("gradients", FLOAT), tensor("features", FLOAT).like("gradients")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("SoftsignGrad(gradients, features)")],
    define,
    examples: &[
        "softsign_grad(f32[N,3], f32[N,3]) -> f32[N,3]",
        "softsign_grad(f32[1]{4}, f32[1]{1}) -> f32[1]{1}",
        "softsign_grad(f32[2,3], f32[3]) fails: `gradients` has the shape of `features`",
        "softsign_grad(i32[2], i32[2]) fails: `gradients` is floating point",
        "softsign_grad(f32[2], f64[2]) fails: `features` has the element type of `gradients`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    gradient(call, "features", "`gradients` has the shape of `features`", |gradient, x| {
        gradient / ((1.0 + x.abs()) * (1.0 + x.abs()))
    })
}
