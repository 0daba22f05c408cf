//! Gives a variable a new value.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "assign",
    summary: "The new value of a variable, which keeps its shape and type.",
    inputs: &[tensor("variable", ANY), tensor("value", ANY).like("variable")],
    parameters: &[flag("same_shape").or_flag(true)],
    outputs: &["output"],
    spellings: &[tensorflow("Assign(variable, value; validate_shape as same_shape, !use_locking)")],
    define,
    examples: &[
        "assign(f32[N,3], f32[N,3]) -> f32[N,3]",
        "assign(f32[2]{1,2}, f32[2]{3,4}) -> f32[2]{3,4}",
        "assign(f32[2], f32[3], same_shape=false) -> f32[3]",
        "assign(f32[2], f32[3]) fails: `value` has the shape of `variable`",
        "assign(f32[2], f64[2]) fails: `value` has the element type of `variable`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (variable, value) = (call.tensor("variable")?, call.tensor("value")?);
    if call.flag("same_shape")? {
        call.require_shape("`value` has the shape of `variable`", value.shape().same(variable.shape()));
    }
    one(map(value, value.dtype(), |x| x))
}
