//! Equality of two tensors.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "equal",
    summary: "True where the elements are equal; the tensors broadcast.",
    inputs: &[tensor("a", COMPARABLE), tensor("b", COMPARABLE).like("a")],
    parameters: LAID,
    outputs: &["output"],
    spellings: &[
        onnx(1, "Equal(a, b; axis, broadcast=0)").adapted(aligned),
        onnx(7, "Equal(a, b)"),
        tensorflow("Equal(a, b; !incompatible_shape_error=true)"),
    ],
    define,
    examples: &[
        "equal(f32[N,3], f32[3]) -> bool[N,3]",
        "equal(string[N], string[]) -> bool[N]",
        "equal(f32[...], f32[]) -> bool[...]",
        "equal(i64[3]{1,2,3}, i64[1]{2}) -> bool[3]{false,true,false}",
        "equal(f32[2]{nan,1}, f32[2]{nan,1}) -> bool[2]{false,true}",
        "equal(bool[2]{true,false}, bool[2]{true,true}) -> bool[2]{true,false}",
        "equal(f32[2,3], f32[4]) fails: `a` and `b` broadcast",
        "equal(f32[2], f64[2]) fails: `b` has the element type of `a`",
        "equal(c64[2], c64[2]) fails: `a` is a real number type, bool or string",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let outputs = compare(call, |a, b| a.eq(b))?;
    // Strings are carried, never compared.
    match call.tensor("a")?.dtype() {
        DType::Known(Kind::String) => one(unknown_elements(Kind::Bool.into(), outputs[0].shape())),
        _ => Ok(outputs),
    }
}
