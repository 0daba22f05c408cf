//! The product, and 0 where `b` is 0 whatever `a` is.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "mul_no_nan",
    summary: "The product, and 0 where `b` is 0 whatever `a` is, element by element; the tensors broadcast.",
    inputs: &[tensor("a", FLOAT), tensor("b", FLOAT).like("a")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("MulNoNan(a, b)")],
    define: |call| binary(call, |a, b| b.eq(0.0).select(Element::constant(a.kind(), 0.0), a * b)),
    examples: &[
        "mul_no_nan(f32[N,3], f32[3]) -> f32[N,3]",
        "mul_no_nan(f32[2]{inf,6}, f32[2]{0,3}) -> f32[2]{0,18}",
        "mul_no_nan(f32[2,3], f32[4]) fails: `a` and `b` broadcast",
        "mul_no_nan(f32[2], f64[2]) fails: `b` has the element type of `a`",
        "mul_no_nan(i32[2], i32[2]) fails: `a` is floating point",
    ],
};
