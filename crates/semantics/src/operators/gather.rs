//! Picks slices along an axis by index.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "gather",
    summary: "Replaces `axis` of `input` by the axes of `indices`, each index naming a position along it.",
    inputs: &[tensor("input", COMMON), tensor("indices", INDEX)],
    parameters: &[int("axis").or(0)],
    outputs: &["output"],
    spellings: &[
        onnx(1, "Gather(input, indices; axis)"),
        tensorflow("Gather(input, indices; !validate_indices)"),
        tensorflow("GatherV2(input, indices, axis:scalar; !batch_dims=0)"),
        tensorflow("ResourceGather(input, indices; !batch_dims=0, !validate_indices)"),
    ],
    define,
    examples: &[
        "gather(f32[5,4,3,2], i64[1,3]) -> f32[1,3,4,3,2]",
        "gather(f32[V,64], i64[N,S]) -> f32[N,S,64]",
        "gather(i64[3]{7,8,9}, i64[2]{2,-1}) -> i64[2]{9,9}",
        "gather(i64[3]{7,8,9}, i64[]{1}) -> i64[]{8}",
        "gather(f32[2,3], i64[1], axis=2) fails: `axis` is within the rank",
        "gather(f32[3], i64[1]{3}) fails: every index is within the axis",
        "gather(f32[3], f32[1]) fails: `indices` is int32 or int64",
        "gather(f8e4m3fn[5,4,3,2], i64[1,3]) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, indices) = (call.tensor("input")?, call.tensor("indices")?);
    let axis = call.axis("axis", "`axis` is within the rank", input.shape())?;
    let extent = input.shape().size(axis);
    call.require_indices("every index is within the axis", indices, extent);

    let (before, after) = input.shape().around(axis);
    let shape = before.join(indices.shape()).join(after);
    one(Tensor::from_elements(input.dtype(), shape, move |index| {
        let (before, picked) = (before.known_rank().unwrap_or(0), indices.shape().known_rank().unwrap_or(0));
        let mut source = index[..before].to_vec();
        source.push(wrapped(indices.at(&index[before..before + picked]), extent));
        source.extend_from_slice(&index[before + picked..]);
        input.at(&source)
    }))
}
