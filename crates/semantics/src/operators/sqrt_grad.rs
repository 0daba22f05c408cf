//! The gradient of the square root at its result.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "sqrt_grad",
    summary: "The gradient of the square root at its result: `gradients` times the derivative.",
    inputs: &[tensor("gradients", FLOAT), tensor("outputs", FLOAT).like("gradients")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("SqrtGrad(outputs, gradients)")],
    define,
    examples: &[
        "sqrt_grad(f32[N,3], f32[N,3]) -> f32[N,3]",
        "sqrt_grad(f32[1]{4}, f32[1]{2}) -> f32[1]{1}",
        "sqrt_grad(f32[1]{0}, f32[1]{0}) -> f32[1]{0}",
        "sqrt_grad(f32[2,3], f32[3]) fails: `gradients` has the shape of `outputs`",
        "sqrt_grad(i32[2], i32[2]) fails: `gradients` is floating point",
        "sqrt_grad(f32[2], f64[2]) fails: `outputs` has the element type of `gradients`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    // What has no say in the loss has no gradient, though the derivative may be infinite there.
    gradient(call, "outputs", "`gradients` has the shape of `outputs`", |gradient, y| {
        let none = Element::constant(gradient.kind(), 0.0);
        gradient.eq(0.0).select(none, gradient * 0.5 / y)
    })
}
