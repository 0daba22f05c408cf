//! Difference of two tensors.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "sub",
    summary: "Subtracts `b` from `a` element by element; they broadcast.",
    inputs: &[tensor("a", NUMERIC), tensor("b", NUMERIC).like("a")],
    parameters: LAID,
    outputs: &["output"],
    spellings: &[
        onnx(1, "Sub(a, b; axis, broadcast=0)").adapted(aligned),
        onnx(7, "Sub(a, b)"),
        tensorflow("Sub(a, b)"),
    ],
    define: |call| binary(call, |a, b| a - b),
    examples: &[
        "sub(f32[N,3], f32[3]) -> f32[N,3]",
        "sub(f32[...], f32[]) -> f32[...]",
        "sub(f32[2]{3,1}, f32[1]{2}) -> f32[2]{1,-1}",
        "sub(u8[1]{1}, u8[1]{2}) -> u8[1]{255}",
        "sub(f32[2,3], f32[4]) fails: `a` and `b` broadcast",
        "sub(f32[2], f64[2]) fails: `b` has the element type of `a`",
        "sub(bool[2], bool[2]) fails: `a` is a real number type",
    ],
};
