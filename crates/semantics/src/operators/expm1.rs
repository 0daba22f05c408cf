//! The exponential less one.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "expm1",
    summary: "The exponential less one, element by element.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("Expm1(input)")],
    define: |call| unary(call, |x| x.expm1()),
    examples: &[
        "expm1(f32[N,3]) -> f32[N,3]",
        "expm1(f32[1]{0}) -> f32[1]{0}",
        "expm1(i32[2]) fails: `input` is floating point",
    ],
};
