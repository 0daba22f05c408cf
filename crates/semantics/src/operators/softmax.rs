//! Turns each row along an axis into weights that sum to one.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "softmax",
    summary: "Turns each row along `axis` into weights that sum to one.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[int("axis").or(-1)],
    outputs: &["output"],
    spellings: &[
        onnx(1, "Softmax(input; axis=1)").adapted(|call| over_trailing_axes(call, softmax)),
        onnx(13, "Softmax(input; axis)"),
        tensorflow("Softmax(input)"),
    ],
    define: |call| along_axis(call, softmax),
    examples: &[
        "softmax(f32[N,10]) -> f32[N,10]",
        "softmax(f32[2]{0,0}) -> f32[2]{0.5,0.5}",
        "softmax(f32[...], axis=1) -> f32[...]",
        "softmax(f32[2,3], axis=2) fails: `axis` is within the rank",
        "softmax(i64[2,3]) fails: `input` is floating point",
    ],
};

/// A function of the rows of `input` along `axis`.
pub fn along_axis(call: &mut Call, f: fn(Tensor, &[usize]) -> Tensor) -> Outcome {
    let input = call.tensor("input")?;
    let axis = call.axis("axis", "`axis` is within the rank", input.shape())?;
    match input.shape().known_rank() {
        Some(rank) => one(f(input, &[position(axis, rank)])),
        None => one(unknown_elements(input.dtype(), input.shape())),
    }
}

/// Before version 13 the tensor is seen as a matrix: all axes from `axis` on are one row.
pub fn over_trailing_axes(call: &mut Call, f: fn(Tensor, &[usize]) -> Tensor) -> Outcome {
    let input = call.tensor("input")?;
    let axis = call.axis("axis", "`axis` is within the rank", input.shape())?;
    match input.shape().known_rank() {
        Some(rank) => one(f(input, &Vec::from_iter(position(axis, rank)..rank))),
        None => one(unknown_elements(input.dtype(), input.shape())),
    }
}

/// Subtracting the largest element first changes nothing but keeps `exp` from overflowing.
pub fn softmax(input: Tensor, axes: &[usize]) -> Tensor {
    let (dtype, shape) = (input.dtype(), input.shape());
    let peak = reduce(Fold::Max, input, axes, true);
    let shifted = zip(input, peak, dtype, shape, |x, peak| x - peak).within(f64::NEG_INFINITY, 0.0);
    let powers = map(shifted, dtype, |x| x.exp());
    // The peak itself contributes 1; the sum of no power is read by nobody.
    let total = reduce(Fold::Sum, powers, axes, true).within(1.0, f64::INFINITY);
    zip(powers, total, dtype, shape, |power, total| power / total).within(0.0, 1.0)
}
