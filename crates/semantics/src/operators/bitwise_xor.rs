//! Exclusive disjunction of bits.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "bitwise_xor",
    summary: "The bits that exactly one element has; the tensors broadcast.",
    inputs: &[tensor("a", INTEGER), tensor("b", INTEGER).like("a")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(18, "BitwiseXor(a, b)"), tensorflow("BitwiseXor(a, b)")],
    define: |call| binary(call, |a, b| a.bit_xor(b)),
    examples: &[
        "bitwise_xor(i64[N,3], i64[3]) -> i64[N,3]",
        "bitwise_xor(i64[...], i64[]) -> i64[...]",
        "bitwise_xor(u8[2]{1,6}, u8[2]{2,3}) -> u8[2]{3,5}",
        "bitwise_xor(i64[2,3], i64[4]) fails: `a` and `b` broadcast",
        "bitwise_xor(i64[2], i32[2]) fails: `b` has the element type of `a`",
        "bitwise_xor(f32[2], f32[2]) fails: `a` is an integer type",
    ],
};
