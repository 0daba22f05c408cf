//! Quotient of two tensors.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "div",
    summary: "Divides `a` by `b` element by element, integers towards zero; the tensors broadcast.",
    inputs: &[tensor("a", NUMERIC), tensor("b", NUMERIC).like("a")],
    parameters: LAID,
    outputs: &["output"],
    spellings: &[
        onnx(1, "Div(a, b; axis, broadcast=0)").adapted(aligned),
        onnx(7, "Div(a, b)"),
        tensorflow("RealDiv(a, b)"),
        tensorflow("Div(a, b)"),
        tensorflow("TruncateDiv(a, b)"),
    ],
    define,
    examples: &[
        "div(f32[N,3], f32[3]) -> f32[N,3]",
        "div(f32[...], f32[]) -> f32[...]",
        "div(f32[2]{3,1}, f32[2]{2,0}) -> f32[2]{1.5,inf}",
        "div(i32[4]{-7,7,-7,7}, i32[4]{2,-2,-2,2}) -> i32[4]{-3,-3,3,3}",
        "div(i64[2]{6,7}, i64[2]{1,0}) fails: no integer is divided by zero",
        "div(f32[2,3], f32[4]) fails: `a` and `b` broadcast",
        "div(f32[2], f64[2]) fails: `b` has the element type of `a`",
        "div(bool[2], bool[2]) fails: `a` is a real number type",
    ],
};

fn define(call: &mut Call) -> Outcome {
    require_divisors(call)?;
    binary(call, |a, b| a / b)
}
