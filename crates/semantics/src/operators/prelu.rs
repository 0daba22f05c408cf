//! Rectified linear unit with learned slopes.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "prelu",
    summary: "Every element, times its `slope` where it is negative; `slope` broadcasts to the shape of `input`.",
    inputs: &[tensor("input", WIDE), tensor("slope", WIDE).like("input")],
    parameters: &[],
    outputs: &["output"],
    onnx: &[onnx(7, "PRelu(input, slope)")],
    define,
    examples: &[
        "prelu(f32[N,3,H,W], f32[3,1,1]) -> f32[N,3,H,W]",
        "prelu(f32[2,2]{-1,2,-3,4}, f32[2]{0.5,1}) -> f32[2,2]{-0.5,2,-1.5,4}",
        "prelu(i32[2]{-1,5}, i32[]{3}) -> i32[2]{-3,5}",
        "prelu(f32[...], f32[1]) -> f32[...]",
        "prelu(f32[3], f32[2,3]) fails: `slope` broadcasts to the shape of `input`",
        "prelu(f32[1,3], f32[3,1]) fails: `slope` broadcasts to the shape of `input`",
        "prelu(i8[2], i8[2]) fails: `input` is a number type of at least 32 bits or half precision",
        "prelu(f32[2], f64[2]) fails: `slope` has the element type of `input`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, slope) = (call.tensor("input")?, call.tensor("slope")?);
    call.require_shape(
        "`slope` broadcasts to the shape of `input`",
        slope.shape().broadcasts_to(input.shape()),
    );
    one(zip(input, slope, input.dtype(), input.shape(), |x, slope| x.lt(0.0).select(x * slope, x)))
}
