//! Scales the trailing axes of each example to a root mean square of one.

use super::layer_normalization::require_normalizable;
use super::prelude::*;
use crate::normalization::*;

pub static OPERATOR: Operator = Operator {
    name: "rms_normalization",
    summary: "Divides what lies along the axes from `axis` on by its root mean square, then scales it.",
    inputs: &[tensor("input", FLOAT), tensor("scale", FLOAT).like("input")],
    parameters: &[int("axis").or(-1), float("epsilon").or_float(1e-5), element_type("stash_type").optional()],
    outputs: &["output"],
    spellings: &[onnx(23, "RMSNormalization(input, scale; axis, epsilon, stash_type:else f32)")],
    define,
    examples: &[
        "rms_normalization(f32[N,S,4096], f32[4096]) -> f32[N,S,4096]",
        "rms_normalization(f32[1,2]{1,7}, f32[2]{1,10}, epsilon=0) -> f32[1,2]{0.2,14}",
        "rms_normalization(f16[2,3,4], f16[3,4], axis=-2) -> f16[2,3,4]",
        "rms_normalization(f32[...], f32[64]) -> f32[...]",
        "rms_normalization(f32[2,3], f32[3], axis=2) fails: `axis` is within the rank",
        "rms_normalization(f32[2,3], f32[2]) fails: `scale` broadcasts to `input`",
        "rms_normalization(f32[2,0], f32[0]) fails: the normalized axes are not empty",
        "rms_normalization(f32[2,3], f32[3], stash_type=i32) fails: `stash_type` is floating point",
        "rms_normalization(i32[2,3], i32[3]) fails: `input` is floating point",
        "rms_normalization(f32[2,3], f16[3]) fails: `scale` has the element type of `input`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, scale) = (call.tensor("input")?, call.tensor("scale")?);
    let stash = stash_type(call, "`stash_type` is floating point", FLOAT.kinds)?;
    let epsilon = call.float("epsilon")?;
    let axis = call.axis("axis", "`axis` is within the rank", input.shape())?;
    call.require_broadcast_to("`scale` broadcasts to `input`", scale, input.shape());
    let Some(sizes) = input.shape().sizes() else {
        return one(unknown_elements(input.dtype(), input.shape()));
    };
    let axes: Vec<usize> = (position(axis, sizes.len())..sizes.len()).collect();
    require_normalizable(call, &sizes, &axes);
    Ok(Tensor::composed([(input.dtype(), input.shape())], move || {
        let stashed = cast(input, stash);
        let squares = mean_square(stashed, &axes);
        let root = map(squares, stash, move |square| (square + epsilon).sqrt());
        vec![Tensor::from_elements(input.dtype(), input.shape(), move |index| {
            (stashed.at(index) / root.broadcast_at(index)).cast(input.kind()) * scale.broadcast_at(index)
        })]
    }))
}
