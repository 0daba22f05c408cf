//! The angle of the point with ordinate `a` and abscissa `b`.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "atan2",
    summary: "The angle of the point with ordinate `a` and abscissa `b`, element by element; the tensors broadcast.",
    inputs: &[tensor("a", FLOAT), tensor("b", FLOAT).like("a")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("Atan2(a, b)")],
    define: |call| binary(call, |a, b| a.atan2(b)),
    examples: &[
        "atan2(f32[N,3], f32[3]) -> f32[N,3]",
        "atan2(f32[1]{0}, f32[1]{1}) -> f32[1]{0}",
        "atan2(f32[2,3], f32[4]) fails: `a` and `b` broadcast",
        "atan2(f32[2], f64[2]) fails: `b` has the element type of `a`",
        "atan2(i32[2], i32[2]) fails: `a` is floating point",
    ],
};
