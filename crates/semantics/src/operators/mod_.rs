//! Remainder of a division.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "mod",
    summary: "The remainder of dividing `a` by `b`: with the sign of `b`, or with `fmod` that of `a`.",
    inputs: &[tensor("a", NUMERIC), tensor("b", NUMERIC).like("a")],
    parameters: &[flag("fmod").or_flag(false)],
    outputs: &["output"],
    spellings: &[
        onnx(10, "Mod(a, b; fmod:strict)").adapted(floats_with_fmod),
        onnx(28, "Mod(a, b; fmod:strict)"),
        tensorflow("Mod(a, b; with fmod=true)"),
        tensorflow("TruncateMod(a, b; with fmod=true)"),
    ],
    define,
    examples: &[
        "mod(i32[3]{-4,7,5}, i32[3]{2,-3,8}) -> i32[3]{0,-2,5}",
        "mod(i32[3]{-4,7,5}, i32[3]{3,-3,8}, fmod=true) -> i32[3]{-1,1,5}",
        "mod(f32[1]{-4.5}, f32[1]{2}, fmod=true) -> f32[1]{-0.5}",
        "mod(f32[2]{-4.5,4.5}, f32[2]{2,-2}) -> f32[2]{1.5,-1.5}",
        "mod(i64[2]{6,7}, i64[2]{1,0}) fails: no integer is divided by zero",
        "mod(i64[2,3], i64[4]) fails: `a` and `b` broadcast",
        "mod(i64[2], i32[2]) fails: `b` has the element type of `a`",
        "mod(bool[2], bool[2], fmod=true) fails: `a` is a real number type",
    ],
};

fn define(call: &mut Call) -> Outcome {
    require_divisors(call)?;
    if call.flag("fmod")? {
        return binary(call, |a, b| a.remainder(b));
    }
    binary(call, |a, b| a.modulo(b))
}

fn floats_with_fmod(call: &mut Call) -> Outcome {
    if !call.flag("fmod")? {
        let a = call.tensor("a")?;
        call.require_kinds("floats are divided with `fmod`", a, INTEGER);
    }
    define(call)
}
