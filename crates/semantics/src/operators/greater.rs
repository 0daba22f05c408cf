//! Order of two tensors.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "greater",
    summary: "True where `a` is greater than `b`; the tensors broadcast.",
    inputs: &[tensor("a", NUMERIC), tensor("b", NUMERIC).like("a")],
    parameters: LAID,
    outputs: &["output"],
    spellings: &[
        onnx(1, "Greater(a, b; axis, broadcast=0)").adapted(aligned),
        onnx(7, "Greater(a, b)"),
        tensorflow("Greater(a, b)"),
    ],
    define: |call| compare(call, |a, b| a.gt(b)),
    examples: &[
        "greater(f32[N,3], f32[3]) -> bool[N,3]",
        "greater(f32[...], f32[]) -> bool[...]",
        "greater(f32[3]{1,2,3}, f32[1]{2}) -> bool[3]{false,false,true}",
        "greater(f32[2,3], f32[4]) fails: `a` and `b` broadcast",
        "greater(f32[2], f64[2]) fails: `b` has the element type of `a`",
        "greater(bool[2], bool[2]) fails: `a` is a real number type",
    ],
};
