//! One step of RMSProp.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "apply_rms_prop",
    summary: "One step of RMSProp: the new value of the variable.",
    inputs: &[
        tensor("variable", FLOAT),
        tensor("mean_square", FLOAT).like("variable"),
        tensor("accumulator", FLOAT).like("variable"),
        tensor("rate", FLOAT).like("variable"),
        tensor("decay", FLOAT).like("variable"),
        tensor("momentum", FLOAT).like("variable"),
        tensor("epsilon", FLOAT).like("variable"),
        tensor("gradients", FLOAT).like("variable"),
    ],
    parameters: &[],
    outputs: &["output"],
    spellings: &[
        tensorflow(
            "ApplyRMSProp(variable, mean_square, accumulator, rate, decay, momentum, epsilon, gradients; !use_locking)",
        ),
        tensorflow(
            "ResourceApplyRMSProp(variable, mean_square, accumulator, rate, decay, momentum, epsilon, gradients; !use_locking)",
        ),
    ],
    define,
    examples: &[
        "apply_rms_prop(f32[N,3], f32[N,3], f32[N,3], f32[], f32[], f32[], f32[], f32[N,3]) -> f32[N,3]",
        "apply_rms_prop(f32[2], f32[2], f32[2], f32[], f32[], f32[], f32[], f32[3]) fails: what belongs to a variable has its shape",
        "apply_rms_prop(f32[2], f32[2], f32[2], f32[2], f32[2], f32[2], f32[2], f32[2]) fails: rates are scalars",
        "apply_rms_prop(i32[2], i32[2], i32[2], i32[], i32[], i32[], i32[], i32[2]) fails: `variable` is floating point",
        "apply_rms_prop(f32[2], f64[2], f32[2], f32[], f32[], f32[], f32[], f32[2]) fails: `mean_square` has the element type of `variable`",
        "apply_rms_prop(f32[2], f32[2], f64[2], f32[], f32[], f32[], f32[], f32[2]) fails: `accumulator` has the element type of `variable`",
        "apply_rms_prop(f32[2], f32[2], f32[2], f64[], f32[], f32[], f32[], f32[2]) fails: `rate` has the element type of `variable`",
        "apply_rms_prop(f32[2], f32[2], f32[2], f32[], f64[], f32[], f32[], f32[2]) fails: `decay` has the element type of `variable`",
        "apply_rms_prop(f32[2], f32[2], f32[2], f32[], f32[], f64[], f32[], f32[2]) fails: `momentum` has the element type of `variable`",
        "apply_rms_prop(f32[2], f32[2], f32[2], f32[], f32[], f32[], f64[], f32[2]) fails: `epsilon` has the element type of `variable`",
        "apply_rms_prop(f32[2], f32[2], f32[2], f32[], f32[], f32[], f32[], f64[2]) fails: `gradients` has the element type of `variable`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let variable = call.tensor("variable")?;
    let mean_square = call.tensor("mean_square")?;
    let accumulator = call.tensor("accumulator")?;
    let rate = call.tensor("rate")?;
    let decay = call.tensor("decay")?;
    let momentum = call.tensor("momentum")?;
    let epsilon = call.tensor("epsilon")?;
    let gradients = call.tensor("gradients")?;
    let shape = variable.shape();
    let fits = Prop::all(
        [mean_square, accumulator, gradients].iter().map(|tensor: &Tensor| tensor.shape().same(shape)),
    );
    call.require_shape("what belongs to a variable has its shape", fits);
    let scalars =
        Prop::all([rate, decay, momentum, epsilon].iter().map(|rate: &Tensor| rate.shape().rank().eq(0)));
    call.demand(IncompatibleShape, "rates are scalars", scalars)?;
    one(Tensor::from_elements(variable.dtype(), shape, move |index| {
        let gradient = gradients.at(index);
        let decay = decay.at(&[]);
        let square = decay * mean_square.at(index) + (1.0 - decay) * (gradient * gradient);
        let step = rate.at(&[]) * gradient / (square + epsilon.at(&[])).sqrt();
        variable.at(index) - (momentum.at(&[]) * accumulator.at(index) + step)
    }))
}
