//! Joins tensors along a new axis.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "stack",
    summary: "Joins tensors of one shape along a new axis.",
    inputs: &[tensor("tensors", COMMON).like("tensors").variadic()],
    parameters: &[int("axis").or(0)],
    outputs: &["output"],
    spellings: &[tensorflow("Pack(tensors; axis=0)")],
    define,
    examples: &[
        "stack(f32[N,3], f32[N,3], axis=1) -> f32[N,2,3]",
        "stack(i32[]{7}, i32[]{8}) -> i32[2]{7,8}",
        "stack(i32[2]{1,2}, i32[2]{3,4}, axis=-1) -> i32[2,2]{1,3,2,4}",
        "stack(f32[...]) -> f32[...]",
        "stack(f32[2], f32[3]) fails: the tensors have one shape",
        "stack(f32[2], f32[2], axis=2) fails: `axis` is within the rank of the output",
        "stack(f32[2], f64[2]) fails: `tensors` have one element type",
        "stack(f8e4m3fn[2]) fails: `tensors` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let tensors = call.list("tensors");
    // They have one shape: what is known of any is known of all.
    let known = tensors.iter().find(|tensor| tensor.shape().known_rank().is_some());
    let shape = known.unwrap_or(&tensors[0]).shape();
    for tensor in &tensors {
        call.require_shape("the tensors have one shape", tensor.shape().same(shape));
    }
    let axis = call.axis("axis", "`axis` is within the rank of the output", shape.followed_by([1.into()]))?;
    let result = shape.with_inserted(axis, tensors.len().into());
    one(Tensor::from_elements(tensors[0].dtype(), result, move |index| {
        let mut source = index.to_vec();
        let which = source.remove(position(axis, index.len()));
        let last = tensors.len() - 1;
        (0..last).rev().fold(tensors[last].at(&source), |rest, k| {
            Element::when(which.eq(k), tensors[k].at(&source), rest)
        })
    }))
}
