//! `a` times the logarithm of one more than `b`, and 0 where `a` is 0.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "xlog1py",
    summary: "`a` times the logarithm of one more than `b`, and 0 where `a` is 0, element by element; the tensors broadcast.",
    inputs: &[tensor("a", FLOAT), tensor("b", FLOAT).like("a")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("Xlog1py(a, b)")],
    define: |call| binary(call, |a, b| a.eq(0.0).select(Element::constant(a.kind(), 0.0), a * b.log1p())),
    examples: &[
        "xlog1py(f32[N,3], f32[3]) -> f32[N,3]",
        "xlog1py(f32[2]{0,6}, f32[2]{-1,0}) -> f32[2]{0,0}",
        "xlog1py(f32[2,3], f32[4]) fails: `a` and `b` broadcast",
        "xlog1py(f32[2], f64[2]) fails: `b` has the element type of `a`",
        "xlog1py(i32[2], i32[2]) fails: `a` is floating point",
    ],
};
