//! Shifting of bits.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "bit_shift",
    summary: "Moves the bits of `a` by `b` places; what leaves is lost, what comes is zero, or the sign when a \
              negative number moves right. The tensors broadcast.",
    inputs: &[tensor("a", INTEGER), tensor("b", INTEGER).like("a")],
    parameters: &[word("direction", &["LEFT", "RIGHT"])],
    outputs: &["output"],
    spellings: &[
        onnx(11, "BitShift(a, b; direction)").adapted(of_unsigned),
        onnx(28, "BitShift(a, b; direction)"),
        tensorflow("LeftShift(a, b; with direction=LEFT)"),
        tensorflow("RightShift(a, b; with direction=RIGHT)"),
    ],
    define,
    examples: &[
        "bit_shift(u8[N,3], u8[3], direction=LEFT) -> u8[N,3]",
        "bit_shift(u8[3]{16,4,255}, u8[3]{1,8,1}, direction=LEFT) -> u8[3]{32,0,254}",
        "bit_shift(u32[3]{16,4,255}, u32[1]{1}, direction=RIGHT) -> u32[3]{8,2,127}",
        "bit_shift(i8[3]{-16,-1,4}, i8[3]{1,9,-1}, direction=RIGHT) -> i8[3]{-8,-1,0}",
        "bit_shift(u8[2], u8[2], direction=UP) fails: `direction` is one of LEFT, RIGHT",
        "bit_shift(u8[2], u8[2]) fails: `direction` is given",
        "bit_shift(u8[2,3], u8[4], direction=LEFT) fails: `a` and `b` broadcast",
        "bit_shift(u8[2], u16[2], direction=LEFT) fails: `b` has the element type of `a`",
        "bit_shift(f32[2], f32[2], direction=LEFT) fails: `a` is an integer type",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let left = call.text("direction")? == "LEFT";
    binary(call, move |a, places| {
        let kind = a.kind();
        let bits = kind.bits().unwrap_or_default();
        // Hardware does not agree on shifts by a negative number or by the width and more: nothing but the sign is left.
        let (zero, ones) = (Element::int(kind, 0), Element::int(kind, -1));
        let (moved, gone) = match left {
            true => (a.shift_left(places), zero),
            false if kind.is_signed() => (a.shift_right(places), a.lt(zero).select(ones, zero)),
            false => (a.shift_right(places), zero),
        };
        let few = places.lt(f64::from(bits));
        let few = if kind.is_signed() { few.and(places.ge(0.0)) } else { few };
        few.select(moved, gone)
    })
}

fn of_unsigned(call: &mut Call) -> Outcome {
    let a = call.tensor("a")?;
    call.require_kinds("`a` is an unsigned integer type", a, UNSIGNED);
    define(call)
}
