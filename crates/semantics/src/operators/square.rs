//! The square.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "square",
    summary: "The square, element by element.",
    inputs: &[tensor("input", NUMERIC)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("Square(input)")],
    define: |call| unary(call, |x| x * x),
    examples: &[
        "square(f32[N,3]) -> f32[N,3]",
        "square(i32[2]{-3,2}) -> i32[2]{9,4}",
        "square(bool[2]) fails: `input` is a real number type",
    ],
};
