//! The gradient of relu.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "relu_grad",
    summary: "The gradient of relu: `gradients` times the derivative.",
    inputs: &[tensor("gradients", FLOAT), tensor("features", FLOAT).like("gradients")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("ReluGrad(gradients, features)")],
    define,
    examples: &[
        "relu_grad(f32[N,3], f32[N,3]) -> f32[N,3]",
        "relu_grad(f32[3]{5,6,7}, f32[3]{-1,0,2}) -> f32[3]{0,0,7}",
        "relu_grad(f32[2,3], f32[3]) fails: `gradients` has the shape of `features`",
        "relu_grad(i32[2], i32[2]) fails: `gradients` is floating point",
        "relu_grad(f32[2], f64[2]) fails: `features` has the element type of `gradients`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    gradient(call, "features", "`gradients` has the shape of `features`", |gradient, x| {
        // TensorFlow multiplies: what is not a number stays so where nothing should pass.
        let number = |value| Element::constant(gradient.kind(), value);
        gradient * x.gt(0.0).select(number(1.0), number(0.0))
    })
}
