//! One step of gradient descent.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "apply_gradient_descent",
    summary: "One step of gradient descent: the new value of the variable.",
    inputs: &[
        tensor("variable", FLOAT),
        tensor("rate", FLOAT).like("variable"),
        tensor("gradients", FLOAT).like("variable"),
    ],
    parameters: &[],
    outputs: &["output"],
    spellings: &[
        tensorflow("ApplyGradientDescent(variable, rate, gradients; !use_locking)"),
        tensorflow("ResourceApplyGradientDescent(variable, rate, gradients; !use_locking)"),
    ],
    define,
    examples: &[
        "apply_gradient_descent(f32[N,3], f32[], f32[N,3]) -> f32[N,3]",
        "apply_gradient_descent(f32[2], f32[], f32[3]) fails: what belongs to a variable has its shape",
        "apply_gradient_descent(f32[2], f32[2], f32[2]) fails: rates are scalars",
        "apply_gradient_descent(i32[2], i32[], i32[2]) fails: `variable` is floating point",
        "apply_gradient_descent(f32[2], f64[], f32[2]) fails: `rate` has the element type of `variable`",
        "apply_gradient_descent(f32[2], f32[], f64[2]) fails: `gradients` has the element type of `variable`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let variable = call.tensor("variable")?;
    let rate = call.tensor("rate")?;
    let gradients = call.tensor("gradients")?;
    let shape = variable.shape();
    let fits = Prop::all([gradients].iter().map(|tensor: &Tensor| tensor.shape().same(shape)));
    call.require_shape("what belongs to a variable has its shape", fits);
    let scalars = Prop::all([rate].iter().map(|rate: &Tensor| rate.shape().rank().eq(0)));
    call.demand(IncompatibleShape, "rates are scalars", scalars)?;
    one(Tensor::from_elements(variable.dtype(), shape, move |index| {
        variable.at(index) - rate.at(&[]) * gradients.at(index)
    }))
}
