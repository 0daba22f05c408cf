//! Disjunction of bits.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "bitwise_or",
    summary: "The bits that one element has, or both; the tensors broadcast.",
    inputs: &[tensor("a", INTEGER), tensor("b", INTEGER).like("a")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(18, "BitwiseOr(a, b)"), tensorflow("BitwiseOr(a, b)")],
    define: |call| binary(call, |a, b| a.bit_or(b)),
    examples: &[
        "bitwise_or(i64[N,3], i64[3]) -> i64[N,3]",
        "bitwise_or(i64[...], i64[]) -> i64[...]",
        "bitwise_or(u8[2]{1,6}, u8[2]{2,3}) -> u8[2]{3,7}",
        "bitwise_or(i64[2,3], i64[4]) fails: `a` and `b` broadcast",
        "bitwise_or(i64[2], i32[2]) fails: `b` has the element type of `a`",
        "bitwise_or(f32[2], f32[2]) fails: `a` is an integer type",
    ],
};
