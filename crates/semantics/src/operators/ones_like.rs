//! A tensor of ones, shaped like another.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "ones_like",
    summary: "A tensor of ones with the shape and type of `input`.",
    inputs: &[tensor("input", REAL_OR_BOOL)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("OnesLike(input)")],
    define,
    examples: &[
        "ones_like(f32[N,3]) -> f32[N,3]",
        "ones_like(i32[2]{4,5}) -> i32[2]{1,1}",
        "ones_like(f32[...]) -> f32[...]",
        "ones_like(string[2]) fails: `input` is a real number type or bool",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    one(Tensor::from_elements(input.dtype(), input.shape(), move |_| match input.kind().class() {
        Class::Bool => Element::bool(true),
        Class::Int => Element::int(input.kind(), 1),
        _ => Element::constant(input.kind(), 1.0),
    }))
}
