//! Logical disjunction.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "or",
    summary: "True where one element is, or both; the tensors broadcast.",
    inputs: &[tensor("a", BOOL), tensor("b", BOOL)],
    parameters: LAID,
    outputs: &["output"],
    spellings: &[
        onnx(1, "Or(a, b; axis, broadcast=0)").adapted(aligned),
        onnx(7, "Or(a, b)"),
        tensorflow("LogicalOr(a, b)"),
    ],
    define: |call| binary(call, |a, b| a.or(b)),
    examples: &[
        "or(bool[N,3], bool[3]) -> bool[N,3]",
        "or(bool[...], bool[]) -> bool[...]",
        "or(bool[2]{true,false}, bool[1]{false}) -> bool[2]{true,false}",
        "or(bool[2,3], bool[4]) fails: `a` and `b` broadcast",
        "or(i64[2], bool[2]) fails: `a` is bool",
        "or(bool[2], i64[2]) fails: `b` is bool",
    ],
};
