//! One step of Adagrad.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "apply_adagrad",
    summary: "One step of Adagrad: the new value of the variable.",
    inputs: &[
        tensor("variable", FLOAT),
        tensor("accumulator", FLOAT).like("variable"),
        tensor("rate", FLOAT).like("variable"),
        tensor("gradients", FLOAT).like("variable"),
    ],
    parameters: &[],
    outputs: &["output"],
    spellings: &[
        tensorflow("ApplyAdagrad(variable, accumulator, rate, gradients; !update_slots=true, !use_locking)"),
        tensorflow(
            "ResourceApplyAdagrad(variable, accumulator, rate, gradients; !update_slots=true, !use_locking)",
        ),
    ],
    define,
    examples: &[
        "apply_adagrad(f32[N,3], f32[N,3], f32[], f32[N,3]) -> f32[N,3]",
        "apply_adagrad(f32[2], f32[2], f32[], f32[3]) fails: what belongs to a variable has its shape",
        "apply_adagrad(f32[2], f32[2], f32[2], f32[2]) fails: rates are scalars",
        "apply_adagrad(i32[2], i32[2], i32[], i32[2]) fails: `variable` is floating point",
        "apply_adagrad(f32[2], f64[2], f32[], f32[2]) fails: `accumulator` has the element type of `variable`",
        "apply_adagrad(f32[2], f32[2], f64[], f32[2]) fails: `rate` has the element type of `variable`",
        "apply_adagrad(f32[2], f32[2], f32[], f64[2]) fails: `gradients` has the element type of `variable`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let variable = call.tensor("variable")?;
    let accumulator = call.tensor("accumulator")?;
    let rate = call.tensor("rate")?;
    let gradients = call.tensor("gradients")?;
    let shape = variable.shape();
    let fits = Prop::all([accumulator, gradients].iter().map(|tensor: &Tensor| tensor.shape().same(shape)));
    call.require_shape("what belongs to a variable has its shape", fits);
    let scalars = Prop::all([rate].iter().map(|rate: &Tensor| rate.shape().rank().eq(0)));
    call.demand(IncompatibleShape, "rates are scalars", scalars)?;
    one(Tensor::from_elements(variable.dtype(), shape, move |index| {
        let gradient = gradients.at(index);
        let gathered = accumulator.at(index) + gradient * gradient;
        variable.at(index) - rate.at(&[]) * gradient / gathered.sqrt()
    }))
}
