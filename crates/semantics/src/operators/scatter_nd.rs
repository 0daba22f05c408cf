//! Writes slices by index tuples.

use super::gather_nd::require_tuples;
use super::prelude::*;
use crate::array::strides;
use crate::scatter::{REDUCTIONS, place, scatter};

pub static OPERATOR: Operator = Operator {
    name: "scatter_nd",
    summary: "Each row along the last axis of `indices` names a position in the leading axes of a copy of `input`, \
              where the slice of `updates` is written; with a reduction, both are put together.",
    inputs: &[tensor("input", COMMON), tensor("indices", INT64), tensor("updates", COMMON).like("input")],
    parameters: &[word("reduction", REDUCTIONS).or_word("none")],
    outputs: &["output"],
    spellings: &[
        onnx(11, "ScatterND(input, indices, updates)"),
        onnx(16, "ScatterND(input, indices, updates; reduction:else none)"),
        tensorflow("TensorScatterUpdate(input, indices, updates; !bad_indices_policy)"),
        tensorflow("TensorScatterAdd(input, indices, updates; !bad_indices_policy, with reduction=add)"),
        tensorflow("TensorScatterMax(input, indices, updates; !bad_indices_policy, with reduction=max)"),
        tensorflow("TensorScatterMin(input, indices, updates; !bad_indices_policy, with reduction=min)"),
    ],
    define,
    examples: &[
        "scatter_nd(f32[4,4,N], i64[2,1], f32[2,4,N]) -> f32[4,4,N]",
        "scatter_nd(i64[4]{1,2,3,4}, i64[2,1]{2,-4}, i64[2]{8,9}) -> i64[4]{9,2,8,4}",
        "scatter_nd(f32[2,2]{1,2,3,4}, i64[2,2]{0,0,1,1}, f32[2]{5,1}, reduction=max) -> f32[2,2]{5,2,3,4}",
        "scatter_nd(f32[3]{0,1,2}, i64[2,1]{1,1}, f32[2]{5,7}, reduction=add) -> f32[3]{0,13,2}",
        "scatter_nd(f32[3,2], i64[2,0], f32[2,3,2]) -> f32[3,2]",
        "scatter_nd(f32[], i64[1,1], f32[1]) fails: `input` has at least one axis",
        "scatter_nd(f32[3], i64[], f32[1]) fails: `indices` has at least one axis",
        "scatter_nd(f32[3], i64[1,2], f32[1]) fails: an index tuple is no longer than the rank of `input`",
        "scatter_nd(f32[3,2], i64[2,1], f32[2,3]) fails: `updates` has one slice per index tuple",
        "scatter_nd(f32[3], i64[1,1]{3}, f32[1]) fails: every index is within its axis",
        "scatter_nd(f32[3], i64[1,1], f32[1], reduction=mean) fails: `reduction` is one of none, add, mul, max, min",
        "scatter_nd(f32[3], i32[1,1], f32[1]) fails: `indices` is int64",
        "scatter_nd(f32[3], i64[1,1], f64[1]) fails: `updates` has the element type of `input`",
        "scatter_nd(f8e4m3fn[4,4,N], i64[2,1], f8e4m3fn[2,4,N]) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, indices, updates) = (call.tensor("input")?, call.tensor("indices")?, call.tensor("updates")?);
    let (rank, index_rank) = (input.shape().rank(), indices.shape().rank());
    call.demand(IncompatibleShape, "`input` has at least one axis", rank.ge(1))?;
    call.demand(IncompatibleShape, "`indices` has at least one axis", index_rank.ge(1))?;
    let tuple = indices.shape().size(Back(0));
    call.demand(IncompatibleShape, "an index tuple is no longer than the rank of `input`", tuple.le(rank))?;
    let reduction = call.text("reduction")?;
    let Ok(tuple) = call.positions("indices", &[tuple]) else {
        return call.valueless(input.dtype(), input.shape(), "the length of an index tuple is not known");
    };
    let tuple = tuple[0] as u32;
    let slices = indices.shape().trim(0, 1).join(input.shape().trim(tuple, 0));
    let agree = updates.shape().same(slices);
    call.demand(IncompatibleShape, "`updates` has one slice per index tuple", agree)?;
    let extents: Vec<Dim> = (0..tuple).map(|k| input.shape().size(Front(k))).collect();
    require_tuples(call, indices, &extents);
    match (input.shape().known_rank(), updates.shape().known_rank()) {
        (Some(_), Some(_)) => one(scatter(input, indices, updates, &reduction, targets, tuple as usize)),
        _ => one(unknown_elements(input.dtype(), input.shape())),
    }
}

/// The positions of the elements of each slice.
fn targets(sizes: &[usize], indices: &Array, _: &[usize], tuple: usize) -> Result<Vec<usize>, String> {
    let strides = strides(sizes);
    let slice: usize = sizes[tuple..].iter().product();
    let values = indices.as_ints().ok_or("the indices are no integers")?;
    let count = indices.shape[..indices.shape.len() - 1].iter().product();
    let mut targets = Vec::with_capacity(count * slice);
    for number in 0..count {
        let mut start = 0;
        for k in 0..tuple {
            start += place(values[number * tuple + k], sizes[k])? * strides[k];
        }
        targets.extend(start..start + slice);
    }
    Ok(targets)
}
