//! Where a tensor is true or not zero, one row each.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "where_true",
    summary: "The indices of the elements that are true or not zero, in row-major order, one row each.",
    inputs: &[tensor("input", REAL_OR_BOOL)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("Where(input)")],
    define,
    examples: &[
        "where_true(bool[2,2]{true,false,true,true}) -> i64[3,2]{0,0,1,0,1,1}",
        "where_true(f32[2]{0,5}) -> i64[1,1]{1}",
        "where_true(string[2]) fails: `input` is a real number type or bool",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let columns = (super::non_zero::OPERATOR.define)(call)?;
    one(transpose(columns[0], &[1, 0]))
}
