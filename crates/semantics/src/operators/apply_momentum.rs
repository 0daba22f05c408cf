//! One step of gradient descent with momentum.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "apply_momentum",
    summary: "One step of gradient descent with momentum: the new value of the variable.",
    inputs: &[
        tensor("variable", FLOAT),
        tensor("accumulator", FLOAT).like("variable"),
        tensor("rate", FLOAT).like("variable"),
        tensor("momentum", FLOAT).like("variable"),
        tensor("gradients", FLOAT).like("variable"),
    ],
    parameters: &[flag("nesterov").or_flag(false)],
    outputs: &["output"],
    spellings: &[
        tensorflow(
            "ApplyMomentum(variable, accumulator, rate, gradients, momentum; use_nesterov as nesterov, !use_locking)",
        ),
        tensorflow(
            "ResourceApplyMomentum(variable, accumulator, rate, gradients, momentum; use_nesterov as nesterov, !use_locking)",
        ),
    ],
    define,
    examples: &[
        "apply_momentum(f32[N,3], f32[N,3], f32[], f32[], f32[N,3]) -> f32[N,3]",
        "apply_momentum(f32[2], f32[2], f32[], f32[], f32[3]) fails: what belongs to a variable has its shape",
        "apply_momentum(f32[2], f32[2], f32[2], f32[2], f32[2]) fails: rates are scalars",
        "apply_momentum(i32[2], i32[2], i32[], i32[], i32[2]) fails: `variable` is floating point",
        "apply_momentum(f32[2], f64[2], f32[], f32[], f32[2]) fails: `accumulator` has the element type of `variable`",
        "apply_momentum(f32[2], f32[2], f64[], f32[], f32[2]) fails: `rate` has the element type of `variable`",
        "apply_momentum(f32[2], f32[2], f32[], f64[], f32[2]) fails: `momentum` has the element type of `variable`",
        "apply_momentum(f32[2], f32[2], f32[], f32[], f64[2]) fails: `gradients` has the element type of `variable`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let variable = call.tensor("variable")?;
    let accumulator = call.tensor("accumulator")?;
    let rate = call.tensor("rate")?;
    let momentum = call.tensor("momentum")?;
    let gradients = call.tensor("gradients")?;
    let shape = variable.shape();
    let fits = Prop::all([accumulator, gradients].iter().map(|tensor: &Tensor| tensor.shape().same(shape)));
    call.require_shape("what belongs to a variable has its shape", fits);
    let scalars = Prop::all([rate, momentum].iter().map(|rate: &Tensor| rate.shape().rank().eq(0)));
    call.demand(IncompatibleShape, "rates are scalars", scalars)?;
    let nesterov = call.flag("nesterov")?;
    one(Tensor::from_elements(variable.dtype(), shape, move |index| {
        let (gradient, momentum) = (gradients.at(index), momentum.at(&[]));
        let gathered = accumulator.at(index) * momentum + gradient;
        let step = if nesterov { gradient + momentum * gathered } else { gathered };
        variable.at(index) - rate.at(&[]) * step
    }))
}
