//! The input itself.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "identity",
    summary: "The input as it is.",
    inputs: &[tensor("input", ANY)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[
        onnx(1, "Identity(input)"),
        tensorflow("Identity(input)"),
        tensorflow("StopGradient(input)"),
        tensorflow("PreventGradient(input; !message)"),
        tensorflow("CheckNumerics(input; !message)"),
        tensorflow("CheckNumericsV2(input; !message)"),
        tensorflow("Snapshot(input)"),
        tensorflow("PlaceholderWithDefault(input; !shape)"),
        tensorflow("EnsureShape(input; !shape)"),
        tensorflow("DeepCopy(input)"),
    ],
    define: |call| one(call.tensor("input")?),
    examples: &[
        "identity(f32[N,3]) -> f32[N,3]",
        "identity(i64[2]{1,2}) -> i64[2]{1,2}",
        "identity(string[...]) -> string[...]",
        "identity() fails: `input` is given",
    ],
};
