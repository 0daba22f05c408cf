//! Logarithm of the sum over axes.

use super::prelude::*;
use crate::reduction::then;

pub static OPERATOR: Operator = Operator {
    name: "reduce_log_sum",
    summary: "The natural logarithm of the sum along axes, or of all elements.",
    inputs: &[tensor("input", WIDE)],
    parameters: &[
        ints("axes").optional(),
        flag("keepdims").or_flag(true),
        flag("noop_with_empty_axes").or_flag(false),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(1, "ReduceLogSum(input; axes, keepdims:one)"),
        onnx(18, "ReduceLogSum(input, axes; keepdims:one, noop_with_empty_axes:one)"),
        onnx(28, "ReduceLogSum(input, axes; keepdims:one, noop_with_empty_axes:one)").adapted(of_floats),
    ],
    define,
    examples: &[
        "reduce_log_sum(f32[N,3,5], axes=[1]) -> f32[N,1,5]",
        "reduce_log_sum(f32[2]{0.25,0.75}, keepdims=false) -> f32[]{0}",
        "reduce_log_sum(f32[2,0], axes=[1]) -> f32[2,1]{-inf,-inf}",
        "reduce_log_sum(i32[2,3], axes=[1]) -> i32[2,1]",
        "reduce_log_sum(i32[2]{4,4}, keepdims=false) -> i32[]{2}",
        "reduce_log_sum(f32[...], axes=[-1]) -> f32[...]",
        "reduce_log_sum(f32[2]{1,1}, noop_with_empty_axes=true) -> f32[2]{0,0}",
        "reduce_log_sum(f32[2,3], axes=[2]) fails: `axes` are within the rank",
        "reduce_log_sum(f32[2,3], axes=[0,-2]) fails: `axes` name each axis once",
        "reduce_log_sum(bool[2]) fails: `input` is a number type of at least 32 bits or half precision",
    ],
};

fn define(call: &mut Call) -> Outcome {
    reduction(call, |input, axes, keep| {
        let total = reduce(Fold::Sum, input, axes, keep);
        // Of integers the logarithm is taken as a real number and cut off.
        let kind = input.kind();
        then(
            total,
            move |total| if kind.is_int() { total.cast(Kind::F64).ln().cast(kind) } else { total.ln() },
        )
    })
}

/// Since version 28 only floats are taken.
fn of_floats(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    call.require_kinds("`input` is floating point", input, FLOAT);
    define(call)
}
