//! Logarithm of the softmax.

use super::prelude::*;
use super::softmax::{along_axis, over_trailing_axes};

pub static OPERATOR: Operator = Operator {
    name: "log_softmax",
    summary: "The logarithm of the weights that `softmax` makes of each row along `axis`.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[int("axis").or(-1)],
    outputs: &["output"],
    spellings: &[
        onnx(1, "LogSoftmax(input; axis=1)").adapted(|call| over_trailing_axes(call, log_softmax)),
        onnx(13, "LogSoftmax(input; axis)"),
        tensorflow("LogSoftmax(input)"),
    ],
    define: |call| along_axis(call, log_softmax),
    examples: &[
        "log_softmax(f32[N,10]) -> f32[N,10]",
        "log_softmax(f32[2]{0,0}) -> f32[2]{-0.6931471805599453,-0.6931471805599453}",
        "log_softmax(f32[2,2]{1000,0,0,1000}, axis=0) -> f32[2,2]{0,-1000,-1000,0}",
        "log_softmax(f32[2,0]) -> f32[2,0]",
        "log_softmax(f32[...], axis=1) -> f32[...]",
        "log_softmax(f32[2,3], axis=2) fails: `axis` is within the rank",
        "log_softmax(f32[]) fails: `axis` is within the rank",
        "log_softmax(i64[2,3]) fails: `input` is floating point",
    ],
};

/// `x - peak - ln(sum of exp(x - peak))`: taking the logarithm of the quotient would lose what is far from the peak.
pub fn log_softmax(input: Tensor, axes: &[usize]) -> Tensor {
    let (dtype, shape) = (input.dtype(), input.shape());
    let peak = reduce(Fold::Max, input, axes, true);
    let shifted = zip(input, peak, dtype, shape, |x, peak| x - peak).within(f64::NEG_INFINITY, 0.0);
    // The peak itself contributes 1; the sum of no power is read by nobody.
    let total = reduce_map(Fold::Sum, shifted, dtype, axes, true, |x| x.exp()).within(1.0, f64::INFINITY);
    zip(shifted, total, dtype, shape, |x, total| x - total.ln()).within(f64::NEG_INFINITY, 0.0)
}
