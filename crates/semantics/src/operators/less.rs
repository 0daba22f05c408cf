//! Order of two tensors.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "less",
    summary: "True where `a` is less than `b`; the tensors broadcast.",
    inputs: &[tensor("a", NUMERIC), tensor("b", NUMERIC).like("a")],
    parameters: LAID,
    outputs: &["output"],
    spellings: &[
        onnx(1, "Less(a, b; axis, broadcast=0)").adapted(aligned),
        onnx(7, "Less(a, b)"),
        tensorflow("Less(a, b)"),
    ],
    define: |call| compare(call, |a, b| a.lt(b)),
    examples: &[
        "less(f32[N,3], f32[3]) -> bool[N,3]",
        "less(f32[...], f32[]) -> bool[...]",
        "less(f32[3]{1,2,3}, f32[1]{2}) -> bool[3]{true,false,false}",
        "less(f32[1]{nan}, f32[1]{1}) -> bool[1]{false}",
        "less(f32[2,3], f32[4]) fails: `a` and `b` broadcast",
        "less(f32[2], f64[2]) fails: `b` has the element type of `a`",
        "less(bool[2], bool[2]) fails: `a` is a real number type",
    ],
};
