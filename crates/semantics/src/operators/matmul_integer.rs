//! Matrix product of quantized integers in 32 bits.

use super::matmul::product;
use super::prelude::*;
use crate::quantized::{centred, require_per_line};

pub static OPERATOR: Operator = Operator {
    name: "matmul_integer",
    summary: "Matrix product of 8-bit integers, each less its zero point, added up in 32 bits.",
    inputs: &[
        tensor("a", BYTE),
        tensor("b", BYTE),
        tensor("a_zero_point", BYTE).like("a").optional(),
        tensor("b_zero_point", BYTE).like("b").optional(),
    ],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(10, "MatMulInteger(a, b, a_zero_point, b_zero_point)")],
    define,
    examples: &[
        "matmul_integer(u8[N,3], i8[3,4]) -> i32[N,4]",
        "matmul_integer(u8[1,2]{11,7}, u8[2,1]{1,4}, u8[1]{12}, u8[]{0}) -> i32[1,1]{-21}",
        "matmul_integer(u8[2,1]{1,2}, u8[1,2]{3,4}, u8[2]{1,0}, u8[2]{0,4}) -> i32[2,2]{0,0,6,0}",
        "matmul_integer(i8[1,1]{-128}, i8[1]{-128}) -> i32[1]{16384}",
        "matmul_integer(u8[2,2,3], u8[2,3,4], _, u8[2,1,4]) -> i32[2,2,4]",
        "matmul_integer(u8[...], u8[3,4]) -> i32[...]",
        "matmul_integer(u8[2,3], u8[3,4], u8[3]) fails: `a_zero_point` is one value or one per row of `a`",
        "matmul_integer(u8[2,3], u8[3,4], _, u8[3]) fails: `b_zero_point` is one value or one per column of `b`",
        "matmul_integer(u8[2,2,3], u8[2,3,4], _, u8[4]) fails: `b_zero_point` is one value or one per column of `b`",
        "matmul_integer(u8[], u8[3]) fails: `a` has at least one axis",
        "matmul_integer(u8[3], u8[]) fails: `b` has at least one axis",
        "matmul_integer(u8[2,3], u8[4,5]) fails: the last axis of `a` is as long as the second to last of `b`",
        "matmul_integer(u8[2,2,3], u8[3,3,4]) fails: the leading axes broadcast",
        "matmul_integer(i32[2,3], u8[3,4]) fails: `a` is int8 or uint8",
        "matmul_integer(u8[2,3], f32[3,4]) fails: `b` is int8 or uint8",
        "matmul_integer(u8[2,3], u8[3,4], i8[]) fails: `a_zero_point` has the element type of `a`",
        "matmul_integer(u8[2,3], u8[3,4], _, i8[]) fails: `b_zero_point` has the element type of `b`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (a, b) = (call.tensor("a")?, call.tensor("b")?);
    let (a_zero, b_zero) = (call.optional("a_zero_point"), call.optional("b_zero_point"));
    let product = product(call, centred(a, a_zero, Back(1)), centred(b, b_zero, Back(0)))?;
    if let Some(zero) = a_zero {
        let label = "`a_zero_point` is one value or one per row of `a`";
        require_per_line(call, label, zero, a.shape(), Back(1));
    }
    if let Some(zero) = b_zero {
        let label = "`b_zero_point` is one value or one per column of `b`";
        require_per_line(call, label, zero, b.shape(), Back(0));
    }
    one(product)
}
