//! The square of the difference.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "squared_difference",
    summary: "The square of the difference, element by element; the tensors broadcast.",
    inputs: &[tensor("a", NUMERIC), tensor("b", NUMERIC).like("a")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("SquaredDifference(a, b)")],
    define: |call| binary(call, |a, b| (a - b) * (a - b)),
    examples: &[
        "squared_difference(f32[N,3], f32[3]) -> f32[N,3]",
        "squared_difference(f32[2]{1,5}, f32[2]{4,3}) -> f32[2]{9,4}",
        "squared_difference(f32[2,3], f32[4]) fails: `a` and `b` broadcast",
        "squared_difference(f32[2], f64[2]) fails: `b` has the element type of `a`",
        "squared_difference(bool[2], bool[2]) fails: `a` is a real number type",
    ],
};
