//! Picks single elements along an axis by index.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "gather_elements",
    summary: "Takes for every position of `indices` the element of `input` there, but at the index given along `axis`.",
    inputs: &[tensor("input", COMMON), tensor("indices", INDEX)],
    parameters: &[int("axis").or(0)],
    outputs: &["output"],
    spellings: &[onnx(11, "GatherElements(input, indices; axis)")],
    define,
    examples: &[
        "gather_elements(f32[N,5], i64[N,2], axis=1) -> f32[N,2]",
        "gather_elements(f32[2,2]{1,2,3,4}, i64[2,2]{0,0,1,0}, axis=1) -> f32[2,2]{1,1,4,3}",
        "gather_elements(f32[2,3], i32[5,1]) -> f32[5,1]",
        "gather_elements(i64[3]{7,8,9}, i64[2]{-1,0}, axis=-1) -> i64[2]{9,7}",
        "gather_elements(f32[2,3], i64[3]) fails: `indices` has the rank of `input`",
        "gather_elements(f32[2,3], i64[2,4]) fails: `indices` is no longer than `input` outside the axis",
        "gather_elements(f32[2,3], i64[2,3], axis=2) fails: `axis` is within the rank",
        "gather_elements(f32[2,1], i64[1,1]{2}) fails: every index is within the axis",
        "gather_elements(f32[2], f32[2]) fails: `indices` is int32 or int64",
        "gather_elements(f8e4m3fn[N,5], i64[N,2], axis=1) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, indices) = (call.tensor("input")?, call.tensor("indices")?);
    // Both have one rank; it may be known of one of them only.
    let ranked = if input.shape().known_rank().is_some() { input } else { indices };
    let axis = call.axis("axis", "`axis` is within the rank", ranked.shape())?;
    require_no_longer(call, input, indices, axis)?;
    let extent = input.shape().size(axis);
    call.require_indices("every index is within the axis", indices, extent);
    one(gather_elements(input, indices, axis))
}

/// States that `indices` has the rank of `input` and fits into it, looking only at the axes but one.
pub fn require_no_longer(call: &mut Call, input: Tensor, indices: Tensor, axis: Slot) -> Result<(), Stop> {
    let same_rank = indices.shape().rank().eq(input.shape().rank());
    call.demand(IncompatibleShape, "`indices` has the rank of `input`", same_rank)?;
    let (Some(sizes), Some(limits)) = (indices.shape().sizes(), input.shape().sizes()) else {
        return Ok(());
    };
    let axis = position(axis, sizes.len());
    let fits = (0..sizes.len()).filter(|&k| k != axis).map(|k| sizes[k].le(limits[k]));
    call.require_shape("`indices` is no longer than `input` outside the axis", Prop::all(fits));
    Ok(())
}

/// The elements of `input` at the positions of `indices`, along an axis at the index given.
pub fn gather_elements(input: Tensor, indices: Tensor, axis: Slot) -> Tensor {
    let extent = input.shape().size(axis);
    Tensor::from_elements(input.dtype(), indices.shape(), move |index| {
        let mut source = index.to_vec();
        source[position(axis, index.len())] = wrapped(indices.at(index), extent);
        input.at(&source)
    })
}
