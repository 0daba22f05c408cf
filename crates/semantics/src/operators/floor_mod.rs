//! The remainder of a division that is rounded down, with the sign of `b`.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "floor_mod",
    summary: "The remainder of a division that is rounded down, with the sign of `b`, element by element; the tensors broadcast.",
    inputs: &[tensor("a", NUMERIC), tensor("b", NUMERIC).like("a")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("FloorMod(a, b)")],
    define,
    examples: &[
        "floor_mod(f32[N,3], f32[3]) -> f32[N,3]",
        "floor_mod(i32[2]{-7,7}, i32[2]{2,-2}) -> i32[2]{1,-1}",
        "floor_mod(f32[1]{-7}, f32[1]{2}) -> f32[1]{1}",
        "floor_mod(i32[1], i32[1]{0}) fails: no integer is divided by zero",
        "floor_mod(f32[2,3], f32[4]) fails: `a` and `b` broadcast",
        "floor_mod(f32[2], f64[2]) fails: `b` has the element type of `a`",
        "floor_mod(bool[2], bool[2]) fails: `a` is a real number type",
    ],
};

fn define(call: &mut Call) -> Outcome {
    require_divisors(call)?;
    binary(call, |a, b| a.modulo(b))
}
