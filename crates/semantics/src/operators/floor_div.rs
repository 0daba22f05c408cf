//! The quotient, rounded down.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "floor_div",
    summary: "The quotient, rounded down, element by element; the tensors broadcast.",
    inputs: &[tensor("a", NUMERIC), tensor("b", NUMERIC).like("a")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("FloorDiv(a, b)")],
    define,
    examples: &[
        "floor_div(f32[N,3], f32[3]) -> f32[N,3]",
        "floor_div(i32[2]{-7,7}, i32[2]{2,2}) -> i32[2]{-4,3}",
        "floor_div(f32[1]{-7}, f32[1]{2}) -> f32[1]{-4}",
        "floor_div(i32[1], i32[1]{0}) fails: no integer is divided by zero",
        "floor_div(f32[2,3], f32[4]) fails: `a` and `b` broadcast",
        "floor_div(f32[2], f64[2]) fails: `b` has the element type of `a`",
        "floor_div(bool[2], bool[2]) fails: `a` is a real number type",
    ],
};

fn define(call: &mut Call) -> Outcome {
    require_divisors(call)?;
    binary(call, |a, b| if a.kind().is_float() { (a / b).floor() } else { a.floor_div(b) })
}
