//! Exclusive disjunction.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "xor",
    summary: "True where exactly one element is; the tensors broadcast.",
    inputs: &[tensor("a", BOOL), tensor("b", BOOL)],
    parameters: LAID,
    outputs: &["output"],
    spellings: &[onnx(1, "Xor(a, b; axis, broadcast=0)").adapted(aligned), onnx(7, "Xor(a, b)")],
    define: |call| binary(call, |a, b| a.xor(b)),
    examples: &[
        "xor(bool[N,3], bool[3]) -> bool[N,3]",
        "xor(bool[...], bool[]) -> bool[...]",
        "xor(bool[2]{true,false}, bool[1]{true}) -> bool[2]{false,true}",
        "xor(bool[2,3], bool[4]) fails: `a` and `b` broadcast",
        "xor(i64[2], bool[2]) fails: `a` is bool",
        "xor(bool[2], i64[2]) fails: `b` is bool",
    ],
};
