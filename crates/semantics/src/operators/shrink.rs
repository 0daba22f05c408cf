//! Pulls numbers towards zero.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "shrink",
    summary: "Moves elements below `-lambd` up by `bias` and those above `lambd` down by it; the others become zero.",
    inputs: &[tensor("input", NUMERIC_BUT_BF16)],
    parameters: &[float("lambd").or_float(0.5), float("bias").or_float(0.0)],
    outputs: &["output"],
    spellings: &[onnx(9, "Shrink(input; lambd, bias)")],
    define,
    examples: &[
        "shrink(f32[N,3]) -> f32[N,3]",
        "shrink(f32[...]) -> f32[...]",
        "shrink(f32[5]{-2,-1,0,1,2}, lambd=1.5) -> f32[5]{-2,0,0,0,2}",
        "shrink(f32[5]{-2,-1,0,1,2}, lambd=1.5, bias=1.5) -> f32[5]{-0.5,0,0,0,0.5}",
        "shrink(i8[3]{-3,1,3}, lambd=1.5, bias=1.5) -> i8[3]{-1,0,1}",
        "shrink(bool[2]) fails: `input` is a real number type other than bfloat16",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (lambd, bias) = (call.float("lambd")?, call.float("bias")?);
    unary(call, move |x| {
        // `lambd` and `bias` are floats, so integers are compared and moved as floats, then cut off.
        let kind = x.kind();
        let value = if kind.is_float() { x } else { x.cast(Kind::F32) };
        let zero = Element::constant(value.kind(), 0.0);
        let above = value.gt(lambd).select(value - bias, zero);
        value.lt(-lambd).select(value + bias, above).cast(kind)
    })
}
