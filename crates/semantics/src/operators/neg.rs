//! Change of sign.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "neg",
    summary: "Every element with its sign changed.",
    inputs: &[tensor("input", SIGNED)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "Neg(input)"), tensorflow("Neg(input)")],
    define: |call| unary(call, |x| -x),
    examples: &[
        "neg(f32[N,3]) -> f32[N,3]",
        "neg(f32[...]) -> f32[...]",
        "neg(f32[2]{-1.5,2}) -> f32[2]{1.5,-2}",
        "neg(i8[2]{-128,3}) -> i8[2]{-128,-3}",
        "neg(u8[2]) fails: `input` is a signed number type",
    ],
};
