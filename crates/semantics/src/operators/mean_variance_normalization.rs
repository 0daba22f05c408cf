//! Normalizes over chosen axes.

use super::prelude::*;
use crate::normalization::moments;

pub static OPERATOR: Operator = Operator {
    name: "mean_variance_normalization",
    summary: "Moves what lies along `axes` to mean 0 and variance 1; by default everything but the channels.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[ints("axes").optional()],
    outputs: &["output"],
    spellings: &[onnx(9, "MeanVarianceNormalization(input; axes)")],
    define,
    examples: &[
        "mean_variance_normalization(f32[N,3,H,W]) -> f32[N,3,H,W]",
        "mean_variance_normalization(f32[1,2]{1,3}, axes=[1]) -> f32[1,2]{-1,1}",
        "mean_variance_normalization(f32[1,2]{3,3}, axes=[-1]) -> f32[1,2]{0,0}",
        "mean_variance_normalization(f32[...], axes=[-1]) -> f32[...]",
        "mean_variance_normalization(f32[2,3]) fails: `axes` are within the rank",
        "mean_variance_normalization(f32[2,3], axes=[0,-2]) fails: `axes` name each axis once",
        "mean_variance_normalization(i32[2,3], axes=[0]) fails: `input` is floating point",
    ],
};

/// Keeps a constant row from being divided by zero; too small to be seen otherwise.
const EPSILON: f64 = 1e-9_f32 as f64;

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let axes = call.optional_ints("axes")?.unwrap_or_else(|| vec![0.into(), 2.into(), 3.into()]);
    if input.shape().known_rank().is_none() {
        for &axis in &axes {
            call.axis_at(axis, "`axes` are within the rank", input.shape())?;
        }
        return one(unknown_elements(input.dtype(), input.shape()));
    }
    let axes =
        call.axes_at(&axes, "`axes` are within the rank", "`axes` name each axis once", input.shape())?;
    Ok(Tensor::composed([(input.dtype(), input.shape())], move || {
        let (mean, variance) = moments(input, &axes);
        let deviation = map(variance, input.dtype(), |variance| variance.sqrt() + EPSILON);
        vec![Tensor::from_elements(input.dtype(), input.shape(), move |index| {
            (input.at(index) - mean.broadcast_at(index)) / deviation.broadcast_at(index)
        })]
    }))
}
