//! Logical negation.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "not",
    summary: "True where the element is false.",
    inputs: &[tensor("input", BOOL)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "Not(input)"), tensorflow("LogicalNot(input)")],
    define: |call| unary(call, |x| x.negated()),
    examples: &[
        "not(bool[N,3]) -> bool[N,3]",
        "not(bool[...]) -> bool[...]",
        "not(bool[2]{true,false}) -> bool[2]{false,true}",
        "not(i64[2]) fails: `input` is bool",
    ],
};
