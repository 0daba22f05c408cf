//! Order of two tensors.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "greater_or_equal",
    summary: "True where `a` is not less than `b`; the tensors broadcast.",
    inputs: &[tensor("a", NUMERIC), tensor("b", NUMERIC).like("a")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(12, "GreaterOrEqual(a, b)"), tensorflow("GreaterEqual(a, b)")],
    define: |call| compare(call, |a, b| a.ge(b)),
    examples: &[
        "greater_or_equal(f32[N,3], f32[3]) -> bool[N,3]",
        "greater_or_equal(f32[...], f32[]) -> bool[...]",
        "greater_or_equal(i64[3]{1,2,3}, i64[1]{2}) -> bool[3]{false,true,true}",
        "greater_or_equal(f32[2,3], f32[4]) fails: `a` and `b` broadcast",
        "greater_or_equal(f32[2], f64[2]) fails: `b` has the element type of `a`",
        "greater_or_equal(bool[2], bool[2]) fails: `a` is a real number type",
    ],
};
