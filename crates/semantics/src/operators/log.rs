//! Natural logarithm.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "log",
    summary: "The natural logarithm of every element.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "Log(input)"), tensorflow("Log(input)")],
    define: |call| unary(call, |x| x.ln()),
    examples: &[
        "log(f32[N,3]) -> f32[N,3]",
        "log(f32[...]) -> f32[...]",
        "log(f32[2]{1,10}) -> f32[2]{0,2.302585092994046}",
        "log(i64[2]) fails: `input` is floating point",
    ],
};
