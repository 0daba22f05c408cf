//! The quotient, and 0 where `b` is 0.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "div_no_nan",
    summary: "The quotient, and 0 where `b` is 0, element by element; the tensors broadcast.",
    inputs: &[tensor("a", FLOAT), tensor("b", FLOAT).like("a")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("DivNoNan(a, b)")],
    define: |call| {
        binary(call, |a, b| {
            b.eq(0.0).select(
                Element::constant(a.kind(), 0.0),
                a / b.eq(0.0).select(Element::constant(b.kind(), 1.0), b),
            )
        })
    },
    examples: &[
        "div_no_nan(f32[N,3], f32[3]) -> f32[N,3]",
        "div_no_nan(f32[2]{1,6}, f32[2]{0,3}) -> f32[2]{0,2}",
        "div_no_nan(f32[2,3], f32[4]) fails: `a` and `b` broadcast",
        "div_no_nan(f32[2], f64[2]) fails: `b` has the element type of `a`",
        "div_no_nan(i32[2], i32[2]) fails: `a` is floating point",
    ],
};
