//! Negation of every bit.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "bitwise_not",
    summary: "Every bit of every element turned over.",
    inputs: &[tensor("input", INTEGER)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(18, "BitwiseNot(input)"), tensorflow("Invert(input)")],
    define: |call| unary(call, |x| x.bit_not()),
    examples: &[
        "bitwise_not(i64[N,3]) -> i64[N,3]",
        "bitwise_not(i64[...]) -> i64[...]",
        "bitwise_not(u8[2]{0,1}) -> u8[2]{255,254}",
        "bitwise_not(i32[2]{0,-1}) -> i32[2]{-1,0}",
        "bitwise_not(f32[2]) fails: `input` is an integer type",
    ],
};
