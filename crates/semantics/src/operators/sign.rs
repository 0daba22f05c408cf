//! Sign of a number.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "sign",
    summary: "-1, 0 or 1 by the sign of every element.",
    inputs: &[tensor("input", NUMERIC)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(9, "Sign(input)"), tensorflow("Sign(input)")],
    define: |call| unary(call, |x| x.sign()),
    examples: &[
        "sign(f32[N,3]) -> f32[N,3]",
        "sign(f32[...]) -> f32[...]",
        "sign(f32[3]{-1.5,0,2}) -> f32[3]{-1,0,1}",
        "sign(u8[2]{0,7}) -> u8[2]{0,1}",
        "sign(bool[2]) fails: `input` is a real number type",
    ],
};
