//! Product of two tensors.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "mul",
    summary: "Multiplies two tensors element by element; they broadcast.",
    inputs: &[tensor("a", NUMERIC), tensor("b", NUMERIC).like("a")],
    parameters: LAID,
    outputs: &["output"],
    spellings: &[
        onnx(1, "Mul(a, b; axis, broadcast=0)").adapted(aligned),
        onnx(7, "Mul(a, b)"),
        tensorflow("Mul(a, b)"),
    ],
    define: |call| binary(call, |a, b| a * b),
    examples: &[
        "mul(f32[N,3], f32[3]) -> f32[N,3]",
        "mul(f32[...], f32[]) -> f32[...]",
        "mul(f32[2]{3,1}, f32[1]{2}) -> f32[2]{6,2}",
        "mul(i8[1]{100}, i8[1]{2}) -> i8[1]{-56}",
        "mul(f32[2,3], f32[4]) fails: `a` and `b` broadcast",
        "mul(f32[2], f64[2]) fails: `b` has the element type of `a`",
        "mul(bool[2], bool[2]) fails: `a` is a real number type",
    ],
};
