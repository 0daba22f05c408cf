//! True where the elements differ.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "not_equal",
    summary: "True where the elements differ, element by element; the tensors broadcast.",
    inputs: &[tensor("a", REAL_OR_BOOL), tensor("b", REAL_OR_BOOL).like("a")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("NotEqual(a, b; !incompatible_shape_error=true)")],
    define: |call| compare(call, |a, b| a.ne(b)),
    examples: &[
        "not_equal(f32[N,3], f32[3]) -> bool[N,3]",
        "not_equal(i32[2]{1,2}, i32[2]{1,3}) -> bool[2]{false,true}",
        "not_equal(f32[2,3], f32[4]) fails: `a` and `b` broadcast",
        "not_equal(f32[2], f64[2]) fails: `b` has the element type of `a`",
        "not_equal(string[2], string[2]) fails: `a` is a real number type or bool",
    ],
};
