//! Finds what is not a number.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "is_nan",
    summary: "True where the element is not a number.",
    inputs: &[tensor("input", FLOAT_OR_FLOAT8)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(9, "IsNaN(input)"), tensorflow("IsNan(input)")],
    define: |call| {
        let input = call.tensor("input")?;
        one(match input.dtype() {
            DType::Known(kind) if kind.is_float() => map(input, Kind::Bool, |x| x.is_nan()),
            _ => unknown_elements(Kind::Bool.into(), input.shape()),
        })
    },
    examples: &[
        "is_nan(f32[N,3]) -> bool[N,3]",
        "is_nan(f8e5m2[...]) -> bool[...]",
        "is_nan(f32[3]{nan,inf,1}) -> bool[3]{true,false,false}",
        "is_nan(i64[2]) fails: `input` is floating point or float8",
    ],
};
