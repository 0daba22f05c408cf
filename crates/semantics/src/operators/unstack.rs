//! Takes a tensor apart along an axis.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "unstack",
    summary: "One output per position of an axis, which they lack.",
    inputs: &[tensor("input", COMMON)],
    parameters: &[int("axis").or(0)],
    outputs: &["outputs..."],
    spellings: &[tensorflow("Unpack(input; axis=0, !num)")],
    define,
    examples: &[
        "unstack(f32[3,N], axis=0) -> f32[N], f32[N], f32[N]",
        "unstack(i32[2,2]{1,2,3,4}, axis=1) -> i32[2]{1,3}, i32[2]{2,4}",
        "unstack(f32[2]) fails: the axis has one position per output",
        "unstack(f32[], axis=0) fails: `axis` is within the rank",
        "unstack(f8e4m3fn[1]) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let axis = call.axis("axis", "`axis` is within the rank", input.shape())?;
    call.require_shape("the axis has one position per output", input.shape().size(axis).eq(call.wanted));
    let shape = input.shape().without(axis);
    let part = |k: usize| {
        Tensor::from_elements(input.dtype(), shape, move |index| {
            let mut source = index.to_vec();
            source.insert(position(axis, index.len() + 1), k.into());
            input.at(&source)
        })
    };
    Ok((0..call.wanted).map(part).collect())
}
