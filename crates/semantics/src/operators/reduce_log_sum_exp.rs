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
    spellings: &[
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
        "reduce_log_sum_exp(i32[3]{5,4,4}, keepdims=false) -> i32[]{5}",
        "reduce_log_sum_exp(f32[...], axes=[-1]) -> f32[...]",
        "reduce_log_sum_exp(f32[2]{1,2}, noop_with_empty_axes=true) -> f32[2]{1,2}",
        "reduce_log_sum_exp(f32[2,3], axes=[2]) fails: `axes` are within the rank",
        "reduce_log_sum_exp(f32[2,3], axes=[0,-2]) fails: `axes` name each axis once",
        "reduce_log_sum_exp(bool[2]) fails: `input` is a number type of at least 32 bits or half precision",
    ],
};

fn define(call: &mut Call) -> Outcome {
    reduction(call, |input, axes, keep| {
        if !input.kind().is_int() {
            return log_sum_exp(input, axes, keep);
        }
        // The specification's own function takes integers as real numbers and cuts off at the end.
        // ONNX Runtime cuts off every power as well: both are admitted.
        let numbers = cast(input, Kind::F64);
        let cut = log_sum_of(numbers, axes, keep, |x| x.exp().trunc());
        cast(either(log_sum_exp(numbers, axes, keep), cut), input.kind())
    })
}

/// Since version 28 only floats are taken.
fn of_floats(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    call.require_kinds("`input` is floating point", input, FLOAT);
    define(call)
}

/// `m + ln Σ exp(x - m)` for the largest element `m`.
pub fn log_sum_exp(input: Tensor, axes: &[usize], keep: bool) -> Tensor {
    log_sum_of(input, axes, keep, Element::exp)
}

/// `m + ln Σ power(x - m)` for the largest element `m`, which keeps `exp` from overflowing.
/// An infinite `m` would make `x - m` no number: 0 is subtracted instead, and the sum itself is 0 or infinite.
fn log_sum_of(input: Tensor, axes: &[usize], keep: bool, power: fn(Element) -> Element) -> Tensor {
    let (dtype, shape) = (input.dtype(), input.shape());
    let peak = map(reduce(Fold::Max, input, axes, true), dtype, |m| {
        m.abs().eq(f64::INFINITY).select(Element::constant(m.kind(), 0.0), m)
    });
    let powers = zip(input, peak, dtype, shape, move |x, m| power(x - m));
    let total = reduce(Fold::Sum, powers, axes, true);
    let result = zip(total, peak, dtype, total.shape(), |total, m| total.ln() + m);
    let sizes = shape.sizes().unwrap_or_default();
    if keep { result } else { reshape(result, reduced_shape(&sizes, axes, keep)) }
}
