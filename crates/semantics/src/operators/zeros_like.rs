//! A tensor of zeros, shaped like another.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "zeros_like",
    summary: "A tensor of zeros with the shape and type of `input`.",
    inputs: &[tensor("input", REAL_OR_BOOL)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("ZerosLike(input)")],
    define,
    examples: &[
        "zeros_like(f32[N,3]) -> f32[N,3]",
        "zeros_like(i32[2]{4,5}) -> i32[2]{0,0}",
        "zeros_like(f32[...]) -> f32[...]",
        "zeros_like(string[2]) fails: `input` is a real number type or bool",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    one(Tensor::from_elements(input.dtype(), input.shape(), move |_| match input.kind().class() {
        Class::Bool => Element::bool(false),
        Class::Int => Element::int(input.kind(), 0),
        _ => Element::constant(input.kind(), 0.0),
    }))
}
