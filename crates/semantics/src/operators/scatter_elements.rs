//! Writes single elements along an axis by index.

use super::gather_elements::require_no_longer;
use super::prelude::*;
use crate::array::strides;
use crate::scatter::{REDUCTIONS, place, scatter};

pub static OPERATOR: Operator = Operator {
    name: "scatter_elements",
    summary: "Writes every element of `updates` into a copy of `input`, at its own position but at the index given \
              along `axis`; with a reduction, what is there and what comes are put together.",
    inputs: &[tensor("input", COMMON), tensor("indices", INDEX), tensor("updates", COMMON).like("input")],
    parameters: &[int("axis").or(0), word("reduction", REDUCTIONS).or_word("none")],
    outputs: &["output"],
    spellings: &[
        onnx(9, "Scatter(input, indices, updates; axis)"),
        withdrawn(11, "Scatter"),
        onnx(11, "ScatterElements(input, indices, updates; axis)"),
        onnx(16, "ScatterElements(input, indices, updates; axis, reduction:else none)"),
    ],
    define,
    examples: &[
        "scatter_elements(f32[N,5], i64[N,2], f32[N,2], axis=1) -> f32[N,5]",
        "scatter_elements(f32[1,5]{1,2,3,4,5}, i64[1,2]{1,-2}, f32[1,2]{8,9}, axis=1) -> f32[1,5]{1,8,3,9,5}",
        "scatter_elements(f32[3]{1,2,3}, i64[2]{1,1}, f32[2]{5,7}) -> f32[3]{1,7,3}",
        "scatter_elements(f32[3]{1,2,3}, i64[2]{1,1}, f32[2]{5,7}, reduction=add) -> f32[3]{1,14,3}",
        "scatter_elements(i32[3]{1,2,3}, i64[2]{1,1}, i32[2]{5,7}, reduction=mul) -> i32[3]{1,70,3}",
        "scatter_elements(f32[3]{1,2,3}, i64[2]{1,1}, f32[2]{5,7}, reduction=max) -> f32[3]{1,7,3}",
        "scatter_elements(f32[3]{1,2,3}, i64[2]{1,1}, f32[2]{5,7}, reduction=min) -> f32[3]{1,2,3}",
        "scatter_elements(f32[2,3], i64[5,2], f32[5,2], reduction=add) -> f32[2,3]",
        "scatter_elements(f32[2,3], i64[2], f32[2]) fails: `indices` has the rank of `input`",
        "scatter_elements(f32[2,3], i64[1,4], f32[1,4]) fails: `indices` is no longer than `input` outside the axis",
        "scatter_elements(f32[2,3], i64[1,3], f32[2,3]) fails: `updates` has the shape of `indices`",
        "scatter_elements(f32[3], i64[1]{3}, f32[1]) fails: every index is within the axis",
        "scatter_elements(f32[3], i64[1], f32[1], axis=1) fails: `axis` is within the rank",
        "scatter_elements(f32[3], i64[1], f32[1], reduction=mean) fails: `reduction` is one of none, add, mul, max, min",
        "scatter_elements(f32[3], f32[1], f32[1]) fails: `indices` is int32 or int64",
        "scatter_elements(f32[3], i64[1], i64[1]) fails: `updates` has the element type of `input`",
        "scatter_elements(f8e4m3fn[N,5], i64[N,2], f8e4m3fn[N,2], axis=1) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, indices, updates) = (call.tensor("input")?, call.tensor("indices")?, call.tensor("updates")?);
    let axis = call.axis("axis", "`axis` is within the rank", input.shape())?;
    require_no_longer(call, input, indices, axis)?;
    let agree = updates.shape().same(indices.shape());
    call.demand(IncompatibleShape, "`updates` has the shape of `indices`", agree)?;
    call.require_indices("every index is within the axis", indices, input.shape().size(axis));
    let reduction = call.text("reduction")?;
    match input.shape().known_rank() {
        Some(rank) => one(scatter(input, indices, updates, &reduction, targets, position(axis, rank))),
        None => one(unknown_elements(input.dtype(), input.shape())),
    }
}

/// The position of each update, along the axis replaced by its index.
fn targets(sizes: &[usize], indices: &Array, _: &[usize], axis: usize) -> Result<Vec<usize>, String> {
    if indices.shape.len() != sizes.len() {
        return Err("the indices have another rank".into());
    }
    let (outer, inner) = (strides(sizes), indices.strides());
    let values = indices.as_ints().ok_or("the indices are no integers")?;
    let target = |(flat, &index): (usize, &i64)| -> Result<usize, String> {
        let mut target = place(index, sizes[axis])? * outer[axis];
        for k in (0..sizes.len()).filter(|&k| k != axis) {
            target += flat / inner[k] % indices.shape[k] * outer[k];
        }
        Ok(target)
    };
    values.iter().enumerate().map(target).collect()
}
