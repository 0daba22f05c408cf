//! One over the square root.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "rsqrt",
    summary: "One over the square root, element by element.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("Rsqrt(input)")],
    define: |call| unary(call, |x| x.sqrt().reciprocal()),
    examples: &[
        "rsqrt(f32[N,3]) -> f32[N,3]",
        "rsqrt(f32[2]{4,0.25}) -> f32[2]{0.5,2}",
        "rsqrt(i32[2]) fails: `input` is floating point",
    ],
};
