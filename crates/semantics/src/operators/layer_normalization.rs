//! Normalizes the trailing axes of each example.

use super::prelude::*;
use crate::normalization::*;

pub static OPERATOR: Operator = Operator {
    name: "layer_normalization",
    summary: "Moves what lies along the axes from `axis` on to mean 0 and variance 1, then scales and shifts it.",
    inputs: &[
        tensor("input", FLOAT),
        tensor("scale", FLOAT).like("input"),
        tensor("bias", FLOAT).like("input").optional(),
    ],
    parameters: &[int("axis").or(-1), float("epsilon").or_float(1e-5), element_type("stash_type").optional()],
    outputs: &["output", "mean?", "inverse_deviation?"],
    spellings: &[onnx(17, "LayerNormalization(input, scale, bias; axis, epsilon, stash_type:else f32)")],
    define,
    examples: &[
        "layer_normalization(f32[N,S,768], f32[768], f32[768]) -> f32[N,S,768], f32[N,S,1], f32[N,S,1]",
        "layer_normalization(f32[1,2]{1,3}, f32[2]{1,10}, epsilon=0) -> f32[1,2]{-1,10}, f32[1,1]{2}, f32[1,1]{1}",
        "layer_normalization(f32[2,3,4], f32[3,4], axis=-2) -> f32[2,3,4], f32[2,1,1], f32[2,1,1]",
        "layer_normalization(f16[2,3,4], f16[4], f16[2,1,4]) -> f16[2,3,4], f32[2,3,1], f32[2,3,1]",
        "layer_normalization(f32[2,4], f32[], stash_type=bf16) -> f32[2,4], bf16[2,1], bf16[2,1]",
        "layer_normalization(f32[...], f32[64]) -> f32[...]",
        "layer_normalization(f32[2,3], f32[3], axis=2) fails: `axis` is within the rank",
        "layer_normalization(f32[2,3], f32[2]) fails: `scale` broadcasts to `input`",
        "layer_normalization(f32[2,1], f32[3]) fails: `scale` broadcasts to `input`",
        "layer_normalization(f32[2,3], f32[3], f32[2]) fails: `bias` broadcasts to `input`",
        "layer_normalization(f32[2,0], f32[0]) fails: the normalized axes are not empty",
        "layer_normalization(f32[2,3], f32[3], stash_type=f16) fails: `stash_type` is float32 or bfloat16",
        "layer_normalization(i32[2,3], i32[3]) fails: `input` is floating point",
        "layer_normalization(f32[2,3], f16[3]) fails: `scale` has the element type of `input`",
        "layer_normalization(f32[2,3], f32[3], f16[3]) fails: `bias` has the element type of `input`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, scale, bias) = (call.tensor("input")?, call.tensor("scale")?, call.optional("bias"));
    let label = "`stash_type` is float32 or bfloat16";
    let stash = stash_type(call, label, &[Kind::F32, Kind::BF16])?;
    let epsilon = call.float("epsilon")?;
    let axis = call.axis("axis", "`axis` is within the rank", input.shape())?;
    call.require_broadcast_to("`scale` broadcasts to `input`", scale, input.shape());
    if let Some(bias) = bias {
        call.require_broadcast_to("`bias` broadcasts to `input`", bias, input.shape());
    }
    let Some(sizes) = input.shape().sizes() else {
        let statistics = |name: &str| unknown_elements(stash.into(), Shape::unknown(name));
        call.lost.push("the shape of the statistics is not known: the rank of `input` is not".into());
        let output = unknown_elements(input.dtype(), input.shape());
        return Ok([output, statistics("mean"), statistics("deviation")].into_iter().collect());
    };
    let axes: Vec<usize> = (position(axis, sizes.len())..sizes.len()).collect();
    require_normalizable(call, &sizes, &axes);

    let statistics = (stash.into(), reduced_shape(&sizes, &axes, true));
    let outputs = [(input.dtype(), input.shape()), statistics, statistics];
    Ok(Tensor::composed(outputs, move || {
        let stashed = cast(input, stash);
        let (mean, variance) = moments(stashed, &axes);
        let inverse = inverse_deviation(variance, epsilon);
        let output = Tensor::from_elements(input.dtype(), input.shape(), move |index| {
            let distance = stashed.at(index) - mean.broadcast_at(index);
            let normalized = (distance * inverse.broadcast_at(index)).cast(input.kind());
            let scaled = normalized * scale.broadcast_at(index);
            bias.map_or(scaled, |bias| scaled + bias.broadcast_at(index))
        });
        vec![output, mean, inverse]
    }))
}

/// States that there is something to take the mean of.
pub fn require_normalizable(call: &mut Call, sizes: &[Dim], axes: &[usize]) {
    let full = Prop::all(axes.iter().map(|&axis| sizes[axis].ge(1)));
    call.require_shape("the normalized axes are not empty", full);
}
