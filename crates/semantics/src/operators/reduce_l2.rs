//! Euclidean norm over axes.

use super::prelude::*;
use crate::reduction::then;

pub static OPERATOR: Operator = Operator {
    name: "reduce_l2",
    summary: "The L2 norm along axes, or of all elements: the root of the sum of their squares; cut to an integer for integers.",
    inputs: &[tensor("input", WIDE)],
    parameters: &[
        ints("axes").optional(),
        flag("keepdims").or_flag(true),
        flag("noop_with_empty_axes").or_flag(false),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(1, "ReduceL2(input; axes, keepdims:one)"),
        onnx(18, "ReduceL2(input, axes; keepdims:one, noop_with_empty_axes:one)"),
        tensorflow(
            "EuclideanNorm(input, axes:flat; keep_dims as keepdims=false, with noop_with_empty_axes=true)",
        )
        .adapted(over_distinct_axes),
    ],
    define,
    examples: &[
        "reduce_l2(f32[N,3,5], axes=[1]) -> f32[N,1,5]",
        "reduce_l2(f32[2]{3,-4}) -> f32[1]{5}",
        "reduce_l2(i32[4]{3,-4,2,2}, keepdims=false) -> i32[]{5}",
        "reduce_l2(f32[2,0], axes=[1]) -> f32[2,1]{0,0}",
        "reduce_l2(f32[2]{-1,2}, noop_with_empty_axes=true) -> f32[2]{1,2}",
        "reduce_l2(f32[...], axes=[-1]) -> f32[...]",
        "reduce_l2(f32[2,3], axes=[2]) fails: `axes` are within the rank",
        "reduce_l2(f32[2,3], axes=[0,-2]) fails: `axes` name each axis once",
        "reduce_l2(bool[2]) fails: `input` is a number type of at least 32 bits or half precision",
    ],
};

fn define(call: &mut Call) -> Outcome {
    reduction(call, |input, axes, keep| {
        let squares = reduce_map(Fold::Sum, input, input.dtype(), axes, keep, |x| x * x);
        then(squares, |total| match total.kind() {
            kind if kind.is_int() => total.cast(Kind::F64).sqrt().cast(kind),
            _ => total.sqrt(),
        })
    })
}
