//! The gradient of softplus.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "softplus_grad",
    summary: "The gradient of softplus: `gradients` times the derivative.",
    inputs: &[tensor("gradients", FLOAT), tensor("features", FLOAT).like("gradients")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("SoftplusGrad(gradients, features)")],
    define,
    examples: &[
        "softplus_grad(f32[N,3], f32[N,3]) -> f32[N,3]",
        "softplus_grad(f32[1]{4}, f32[1]{0}) -> f32[1]{2}",
        "softplus_grad(f32[2,3], f32[3]) fails: `gradients` has the shape of `features`",
        "softplus_grad(i32[2], i32[2]) fails: `gradients` is floating point",
        "softplus_grad(f32[2], f64[2]) fails: `features` has the element type of `gradients`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    gradient(call, "features", "`gradients` has the shape of `features`", |gradient, x| {
        gradient * x.sigmoid()
    })
}
