//! Subtracts from a variable.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "assign_sub",
    summary: "The value of a variable after `value` was subtracted from it.",
    inputs: &[tensor("variable", NUMERIC), tensor("value", NUMERIC).like("variable")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[
        tensorflow("AssignSub(variable, value; !use_locking)"),
        tensorflow("AssignSubVariableOp(variable, value)"),
    ],
    define,
    examples: &[
        "assign_sub(f32[N,3], f32[N,3]) -> f32[N,3]",
        "assign_sub(i32[]{7}, i32[]{1}) -> i32[]{6}",
        "assign_sub(f32[2], f32[3]) fails: `value` has the shape of `variable`",
        "assign_sub(f32[2], f64[2]) fails: `value` has the element type of `variable`",
        "assign_sub(bool[2], bool[2]) fails: `variable` is a real number type",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (variable, value) = (call.tensor("variable")?, call.tensor("value")?);
    call.require_shape("`value` has the shape of `variable`", value.shape().same(variable.shape()));
    one(zip(variable, value, variable.dtype(), variable.shape(), |old, value| old - value))
}
