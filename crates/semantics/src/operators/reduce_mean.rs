//! Mean over axes.

use super::prelude::*;
use crate::reduction::{folded_count, then};

pub static OPERATOR: Operator = Operator {
    name: "reduce_mean",
    summary: "Averages the elements along axes, or all of them; integers are divided towards zero.",
    inputs: &[tensor("input", WIDE)],
    parameters: &[
        ints("axes").optional(),
        flag("keepdims").or_flag(true),
        flag("noop_with_empty_axes").or_flag(false),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(1, "ReduceMean(input; axes, keepdims:one)"),
        onnx(18, "ReduceMean(input, axes; keepdims:one, noop_with_empty_axes:one)"),
        tensorflow("Mean(input, axes:flat; keep_dims as keepdims=false, with noop_with_empty_axes=true)")
            .adapted(over_distinct_axes),
    ],
    define,
    examples: &[
        "reduce_mean(f32[N,3,5], axes=[1]) -> f32[N,1,5]",
        "reduce_mean(f32[N,3,5], axes=[-1], keepdims=false) -> f32[N,3]",
        "reduce_mean(f32[2,2]{1,2,3,4}, axes=[1]) -> f32[2,1]{1.5,3.5}",
        "reduce_mean(i32[2]{-7,2}) -> i32[1]{-2}",
        "reduce_mean(f32[]{3}) -> f32[]{3}",
        "reduce_mean(f32[1,0], axes=[1]) -> f32[1,1]{nan}",
        "reduce_mean(f32[...], axes=[2,3], keepdims=false) -> f32[...]",
        "reduce_mean(f32[...], keepdims=false) -> f32[]",
        "reduce_mean(f32[2,2], noop_with_empty_axes=true) -> f32[2,2]",
        "reduce_mean(f32[2,3], axes=[2]) fails: `axes` are within the rank",
        "reduce_mean(f32[2,3], axes=[0,-2]) fails: `axes` name each axis once",
        "reduce_mean(bool[2]) fails: `input` is a number type of at least 32 bits or half precision",
    ],
};

fn define(call: &mut Call) -> Outcome {
    reduction(call, mean)
}

/// Adds up, then divides. Of nothing it is 0 / 0: not a number, and 0 for integers, which have no such thing.
pub fn mean(input: Tensor, axes: &[usize], keep: bool) -> Tensor {
    let count = folded_count(input, axes);
    then(reduce(Fold::Sum, input, axes, keep), move |total| {
        let kind = total.kind();
        let count = if kind.is_int() { count.max(1) } else { count };
        total / Element::index(kind, count)
    })
}
