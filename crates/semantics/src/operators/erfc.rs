//! One less the error function.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "erfc",
    summary: "One less the error function, element by element.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("Erfc(input)")],
    define: |call| unary(call, |x| 1.0 - x.erf()),
    examples: &[
        "erfc(f32[N,3]) -> f32[N,3]",
        "erfc(f32[1]{0}) -> f32[1]{1}",
        "erfc(i32[2]) fails: `input` is floating point",
    ],
};
