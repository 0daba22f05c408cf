//! Logical conjunction.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "and",
    summary: "True where both elements are; the tensors broadcast.",
    inputs: &[tensor("a", BOOL), tensor("b", BOOL)],
    parameters: LAID,
    outputs: &["output"],
    spellings: &[
        onnx(1, "And(a, b; axis, broadcast=0)").adapted(aligned),
        onnx(7, "And(a, b)"),
        tensorflow("LogicalAnd(a, b)"),
    ],
    define: |call| binary(call, |a, b| a.and(b)),
    examples: &[
        "and(bool[N,3], bool[3]) -> bool[N,3]",
        "and(bool[...], bool[]) -> bool[...]",
        "and(bool[2]{true,false}, bool[1]{true}) -> bool[2]{true,false}",
        "and(bool[2,3], bool[4]) fails: `a` and `b` broadcast",
        "and(i64[2], bool[2]) fails: `a` is bool",
        "and(bool[2], i64[2]) fails: `b` is bool",
    ],
};
