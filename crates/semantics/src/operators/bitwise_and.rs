//! Conjunction of bits.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "bitwise_and",
    summary: "The bits that both elements have; the tensors broadcast.",
    inputs: &[tensor("a", INTEGER), tensor("b", INTEGER).like("a")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(18, "BitwiseAnd(a, b)"), tensorflow("BitwiseAnd(a, b)")],
    define: |call| binary(call, |a, b| a.bit_and(b)),
    examples: &[
        "bitwise_and(i64[N,3], i64[3]) -> i64[N,3]",
        "bitwise_and(i64[...], i64[]) -> i64[...]",
        "bitwise_and(i8[2]{-1,6}, i8[2]{2,3}) -> i8[2]{2,2}",
        "bitwise_and(i64[2,3], i64[4]) fails: `a` and `b` broadcast",
        "bitwise_and(i64[2], i32[2]) fails: `b` has the element type of `a`",
        "bitwise_and(f32[2], f32[2]) fails: `a` is an integer type",
    ],
};
