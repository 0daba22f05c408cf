//! The logarithm of one more.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "log1p",
    summary: "The logarithm of one more, element by element.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("Log1p(input)")],
    define: |call| unary(call, |x| x.log1p()),
    examples: &[
        "log1p(f32[N,3]) -> f32[N,3]",
        "log1p(f32[1]{0}) -> f32[1]{0}",
        "log1p(i32[2]) fails: `input` is floating point",
    ],
};
