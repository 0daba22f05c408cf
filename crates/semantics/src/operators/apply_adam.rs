//! One step of Adam.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "apply_adam",
    summary: "One step of Adam: the new value of the variable.",
    inputs: &[
        tensor("variable", FLOAT),
        tensor("mean", FLOAT).like("variable"),
        tensor("square", FLOAT).like("variable"),
        tensor("power1", FLOAT).like("variable"),
        tensor("power2", FLOAT).like("variable"),
        tensor("rate", FLOAT).like("variable"),
        tensor("beta1", FLOAT).like("variable"),
        tensor("beta2", FLOAT).like("variable"),
        tensor("epsilon", FLOAT).like("variable"),
        tensor("gradients", FLOAT).like("variable"),
    ],
    parameters: &[flag("nesterov").or_flag(false)],
    outputs: &["output"],
    spellings: &[
        tensorflow(
            "ApplyAdam(variable, mean, square, power1, power2, rate, beta1, beta2, epsilon, gradients; use_nesterov as nesterov, !use_locking)",
        ),
        tensorflow(
            "ResourceApplyAdam(variable, mean, square, power1, power2, rate, beta1, beta2, epsilon, gradients; use_nesterov as nesterov, !use_locking)",
        ),
    ],
    define,
    examples: &[
        "apply_adam(f32[N,3], f32[N,3], f32[N,3], f32[], f32[], f32[], f32[], f32[], f32[], f32[N,3]) -> f32[N,3]",
        "apply_adam(f32[2], f32[2], f32[2], f32[], f32[], f32[], f32[], f32[], f32[], f32[3]) fails: what belongs to a variable has its shape",
        "apply_adam(f32[2], f32[2], f32[2], f32[2], f32[2], f32[2], f32[2], f32[2], f32[2], f32[2]) fails: rates are scalars",
        "apply_adam(i32[2], i32[2], i32[2], i32[], i32[], i32[], i32[], i32[], i32[], i32[2]) fails: `variable` is floating point",
        "apply_adam(f32[2], f64[2], f32[2], f32[], f32[], f32[], f32[], f32[], f32[], f32[2]) fails: `mean` has the element type of `variable`",
        "apply_adam(f32[2], f32[2], f64[2], f32[], f32[], f32[], f32[], f32[], f32[], f32[2]) fails: `square` has the element type of `variable`",
        "apply_adam(f32[2], f32[2], f32[2], f64[], f32[], f32[], f32[], f32[], f32[], f32[2]) fails: `power1` has the element type of `variable`",
        "apply_adam(f32[2], f32[2], f32[2], f32[], f64[], f32[], f32[], f32[], f32[], f32[2]) fails: `power2` has the element type of `variable`",
        "apply_adam(f32[2], f32[2], f32[2], f32[], f32[], f64[], f32[], f32[], f32[], f32[2]) fails: `rate` has the element type of `variable`",
        "apply_adam(f32[2], f32[2], f32[2], f32[], f32[], f32[], f64[], f32[], f32[], f32[2]) fails: `beta1` has the element type of `variable`",
        "apply_adam(f32[2], f32[2], f32[2], f32[], f32[], f32[], f32[], f64[], f32[], f32[2]) fails: `beta2` has the element type of `variable`",
        "apply_adam(f32[2], f32[2], f32[2], f32[], f32[], f32[], f32[], f32[], f64[], f32[2]) fails: `epsilon` has the element type of `variable`",
        "apply_adam(f32[2], f32[2], f32[2], f32[], f32[], f32[], f32[], f32[], f32[], f64[2]) fails: `gradients` has the element type of `variable`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let variable = call.tensor("variable")?;
    let mean = call.tensor("mean")?;
    let square = call.tensor("square")?;
    let power1 = call.tensor("power1")?;
    let power2 = call.tensor("power2")?;
    let rate = call.tensor("rate")?;
    let beta1 = call.tensor("beta1")?;
    let beta2 = call.tensor("beta2")?;
    let epsilon = call.tensor("epsilon")?;
    let gradients = call.tensor("gradients")?;
    let shape = variable.shape();
    let fits = Prop::all([mean, square, gradients].iter().map(|tensor: &Tensor| tensor.shape().same(shape)));
    call.require_shape("what belongs to a variable has its shape", fits);
    let scalars = Prop::all(
        [power1, power2, rate, beta1, beta2, epsilon].iter().map(|rate: &Tensor| rate.shape().rank().eq(0)),
    );
    call.demand(IncompatibleShape, "rates are scalars", scalars)?;
    let nesterov = call.flag("nesterov")?;
    one(Tensor::from_elements(variable.dtype(), shape, move |index| {
        let (gradient, beta1, beta2) = (gradients.at(index), beta1.at(&[]), beta2.at(&[]));
        let corrected = rate.at(&[]) * (1.0 - power2.at(&[])).sqrt() / (1.0 - power1.at(&[]));
        let mean = mean.at(index) + (gradient - mean.at(index)) * (1.0 - beta1);
        let square = square.at(index) + (gradient * gradient - square.at(index)) * (1.0 - beta2);
        let direction = if nesterov { beta1 * mean + (1.0 - beta1) * gradient } else { mean };
        variable.at(index) - corrected * direction / (square.sqrt() + epsilon.at(&[]))
    }))
}
