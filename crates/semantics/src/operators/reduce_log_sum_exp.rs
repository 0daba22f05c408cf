//! Logarithm of the sum of exponentials over axes.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "reduce_log_sum_exp",
    summary: "The natural logarithm of the sum of exponentials along axes, or of all elements: a smooth maximum.",
    inputs: &[tensor("input", WIDE)],
    parameters: &[
        ints("axes").optional(),
        flag("keepdims").or_flag(true),
        flag("noop_with_empty_axes").or_flag(false),
    ],
    outputs: &["output"],
    onnx: &[
        onnx(1, "ReduceLogSumExp(input; axes, keepdims:one)"),
        onnx(18, "ReduceLogSumExp(input, axes; keepdims:one, noop_with_empty_axes:one)"),
        onnx(28, "ReduceLogSumExp(input, axes; keepdims:one, noop_with_empty_axes:one)").adapted(of_floats),
    ],
    define,
    examples: &[
        "reduce_log_sum_exp(f32[N,3,5], axes=[1]) -> f32[N,1,5]",
        "reduce_log_sum_exp(f32[N,3,5], axes=[0,-1], keepdims=false) -> f32[3]",
        "reduce_log_sum_exp(f32[2]{1000,1001}) -> f32[1]{1001.31326168751822}",
        "reduce_log_sum_exp(f32[2]{-inf,-inf}) -> f32[1]{-inf}",
        "reduce_log_sum_exp(f32[2]{inf,0}) -> f32[1]{inf}",
        "reduce_log_sum_exp(f32[2,0], axes=[1]) -> f32[2,1]{-inf,-inf}",
        "reduce_log_sum_exp(i32[2,3], axes=[1], keepdims=false) -> i32[2]",
        "reduce_log_sum_exp(f32[...], axes=[-1]) -> f32[...]",
        "reduce_log_sum_exp(f32[2]{1,2}, noop_with_empty_axes=true) -> f32[2]{1,2}",
        "reduce_log_sum_exp(f32[2,3], axes=[2]) fails: `axes` are within the rank",
        "reduce_log_sum_exp(f32[2,3], axes=[0,-2]) fails: `axes` name each axis once",
        "reduce_log_sum_exp(bool[2]) fails: `input` is a number type of at least 32 bits or half precision",
    ],
};

fn define(call: &mut Call) -> Outcome {
    reduction(call, |input, axes, keep| {
        // What integer exponentials and logarithms are, nobody says.
        if input.kind().is_int() {
            let sizes = input.shape().sizes().unwrap_or_default();
            return unknown_elements(input.dtype(), reduced_shape(&sizes, axes, keep));
        }
        log_sum_exp(input, axes, keep)
    })
}

/// Since version 28 only floats are taken.
fn of_floats(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    call.require_kinds("`input` is floating point", input, FLOAT);
    define(call)
}

/// `m + ln Σ exp(x - m)` for the largest element `m`, which keeps `exp` from overflowing.
/// An infinite `m` would make `x - m` no number: 0 is subtracted instead, and the sum itself is 0 or infinite.
pub fn log_sum_exp(input: Tensor, axes: &[usize], keep: bool) -> Tensor {
    let (dtype, shape) = (input.dtype(), input.shape());
    let peak = map(reduce(Fold::Max, input, axes, true), dtype, |m| {
        m.abs().eq(f64::INFINITY).select(Element::constant(m.kind(), 0.0), m)
    });
    let powers = zip(input, peak, dtype, shape, |x, m| (x - m).exp());
    let total = reduce(Fold::Sum, powers, axes, true);
    let result = zip(total, peak, dtype, total.shape(), |total, m| total.ln() + m);
    let sizes = shape.sizes().unwrap_or_default();
    if keep { result } else { reshape(result, reduced_shape(&sizes, axes, keep)) }
}
