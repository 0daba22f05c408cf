//! The gradient of a leaky relu.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "leaky_relu_grad",
    summary: "The gradient of a leaky relu: `gradients` times the derivative.",
    inputs: &[tensor("gradients", FLOAT), tensor("features", FLOAT).like("gradients")],
    parameters: &[float("alpha").or_float(0.2)],
    outputs: &["output"],
    spellings: &[tensorflow("LeakyReluGrad(gradients, features; alpha)")],
    define,
    examples: &[
        "leaky_relu_grad(f32[N,3], f32[N,3]) -> f32[N,3]",
        "leaky_relu_grad(f32[2]{5,6}, f32[2]{-1,2}, alpha=0.5) -> f32[2]{2.5,6}",
        "leaky_relu_grad(f32[2,3], f32[3]) fails: `gradients` has the shape of `features`",
        "leaky_relu_grad(i32[2], i32[2]) fails: `gradients` is floating point",
        "leaky_relu_grad(f32[2], f64[2]) fails: `features` has the element type of `gradients`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let alpha = call.float("alpha")?;
    gradient(call, "features", "`gradients` has the shape of `features`", move |gradient, x| {
        x.gt(0.0).select(gradient, gradient * alpha)
    })
}
