//! Marks the largest element.

use super::prelude::*;
use super::softmax::{along_axis, over_trailing_axes};

pub static OPERATOR: Operator = Operator {
    name: "hardmax",
    summary: "One for the first largest element of each row along `axis`, zero for the others.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[int("axis").or(-1)],
    outputs: &["output"],
    spellings: &[
        onnx(1, "Hardmax(input; axis=1)").adapted(|call| over_trailing_axes(call, hardmax)),
        onnx(13, "Hardmax(input; axis)"),
    ],
    define: |call| along_axis(call, hardmax),
    examples: &[
        "hardmax(f32[N,10]) -> f32[N,10]",
        "hardmax(f32[2,3]{1,3,3,2,2,1}) -> f32[2,3]{0,1,0,1,0,0}",
        "hardmax(f32[2,2]{1,4,3,2}, axis=0) -> f32[2,2]{0,1,1,0}",
        "hardmax(f32[2,0]) -> f32[2,0]",
        "hardmax(f32[...], axis=1) -> f32[...]",
        "hardmax(f32[2,3], axis=2) fails: `axis` is within the rank",
        "hardmax(i64[2,3]) fails: `input` is floating point",
    ],
};

/// The position of the first largest element is the smallest position at which the largest element stands.
pub fn hardmax(input: Tensor, axes: &[usize]) -> Tensor {
    let shape = input.shape();
    let sizes = shape.sizes().unwrap_or_default();
    let row: Vec<(usize, Dim)> = axes.iter().map(|&axis| (axis, sizes[axis])).collect();
    let beyond = Dim::product(row.iter().map(|&(_, size)| size));
    let place = move |index: &[Dim]| {
        let flat = row.iter().fold(Dim::from(0), |flat, &(axis, size)| flat * size + index[axis]);
        Element::index(Kind::I64, flat)
    };
    let peak = reduce(Fold::Max, input, axes, true);
    let place_of_peak = place.clone();
    let places = Tensor::from_elements(Kind::I64, shape, move |index| {
        let is_peak = input.at(index).eq(peak.broadcast_at(index));
        is_peak.select(place_of_peak(index), Element::index(Kind::I64, beyond))
    });
    let first = reduce(Fold::Min, places, axes, true);
    Tensor::from_elements(input.dtype(), shape, move |index| {
        let number = |value| Element::constant(input.kind(), value);
        first.broadcast_at(index).eq(place(index)).select(number(1.0), number(0.0))
    })
}
