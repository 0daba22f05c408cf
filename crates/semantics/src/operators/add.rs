//! Sum of two tensors.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "add",
    summary: "Adds two tensors element by element; they broadcast.",
    inputs: &[tensor("a", NUMERIC), tensor("b", NUMERIC).like("a")],
    parameters: LAID,
    outputs: &["output"],
    spellings: &[
        onnx(1, "Add(a, b; axis, broadcast=0)").adapted(aligned),
        onnx(7, "Add(a, b)"),
        tensorflow("Add(a, b)"),
        tensorflow("AddV2(a, b)"),
    ],
    define: |call| binary(call, |a, b| a + b),
    examples: &[
        "add(f32[N,3], f32[3]) -> f32[N,3]",
        "add(i8[2]{100,-100}, i8[2]{100,-100}) -> i8[2]{-56,56}",
        "add(f32[...], f32[]) -> f32[...]",
        "add(f32[2,3], f32[4]) fails: `a` and `b` broadcast",
        "add(f32[2], i64[2]) fails: `b` has the element type of `a`",
        "add(bool[2], bool[2]) fails: `a` is a real number type",
    ],
};
